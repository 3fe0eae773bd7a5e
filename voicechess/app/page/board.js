// The page follows the stream of events and draws what it is told; it knows no laws of chess.

const byId = (id) => document.getElementById(id);
const root = document.documentElement;
const words = await (await fetch("words")).json();
const text = words.texts;
let game = null;
let told = 0; // when the clocks were told
let chosen = null; // the square that a move is to begin from
let active = "e2"; // the square that the arrow keys are on

root.lang = words.language;
document.title = text.title;
for (const node of document.querySelectorAll("[data-text]")) node.textContent = text[node.dataset.text];

// --- settings, kept by the browser ---

const form = byId("settings");
const kept = { coordinates: "names", theme: "auto", colours: "brown", size: "80", aloud: false };
try {
  Object.assign(kept, JSON.parse(localStorage.getItem("voicechess") || "{}"));
} catch {
  // What was kept is none of ours, or nothing may be kept.
}
for (const [name, value] of Object.entries(kept)) {
  const field = form.elements[name];
  if (field && field.type === "checkbox") field.checked = value === true;
  else if (field) field.value = value;
}

function settle() {
  for (const field of form.elements) kept[field.name] = field.type === "checkbox" ? field.checked : field.value;
  try {
    localStorage.setItem("voicechess", JSON.stringify(kept));
  } catch {
    // Then they hold until the page is closed.
  }
  root.dataset.theme = kept.theme;
  root.dataset.colours = kept.colours;
  root.style.setProperty("--size", kept.size);
  byId("live").setAttribute("aria-live", kept.aloud ? "polite" : "off");
  draw();
}
form.addEventListener("input", settle);
form.addEventListener("change", settle); // a choice that was made by a program tells nothing else

// --- the board ---

function pieces(fen) {
  const found = {};
  fen.split(" ")[0].split("/").forEach((line, index) => {
    let file = 0;
    for (const letter of line) {
      if (letter >= "1" && letter <= "8") file += Number(letter);
      else {
        const upper = letter.toUpperCase();
        found["abcdefgh"[file] + (8 - index)] = (letter === upper ? "w" : "b") + upper;
        file += 1;
      }
    }
  });
  return found;
}

const fileName = (file) => (kept.coordinates === "names" ? words.files[file] : "abcdefgh"[file]);
const rankName = (rank) => (kept.coordinates === "names" ? words.ranks[rank] : String(rank + 1));

function cell(name, piece) {
  const td = document.createElement("td");
  if (("abcdefgh".indexOf(name[0]) + Number(name[1])) % 2 === 1) td.classList.add("dark");
  if (game.last.includes(name)) td.classList.add("last");
  if (game.check === name) td.classList.add("check");
  if (chosen === name) td.classList.add("chosen");
  let inside = td;
  if (words.input) {
    inside = document.createElement("button");
    inside.type = "button";
    inside.dataset.square = name;
    inside.tabIndex = name === active ? 0 : -1;
    inside.dataset.holds = piece ? words.pieces[piece] : text.empty;
    if (chosen === name) inside.setAttribute("aria-pressed", "true");
    td.append(inside);
  }
  if (piece) {
    const image = document.createElement("img");
    image.src = `piece/${piece}.svg`;
    image.alt = words.input ? "" : words.pieces[piece];
    inside.append(image);
  }
  return td;
}

function drawBoard() {
  const head = byId("board").tHead;
  const body = byId("board").tBodies[0];
  const focused = document.activeElement?.dataset?.square;
  const white = game.below === "white";
  const files = white ? [0, 1, 2, 3, 4, 5, 6, 7] : [7, 6, 5, 4, 3, 2, 1, 0];
  const ranks = [...files].reverse();
  const found = pieces(game.fen);
  const corner = document.createElement("td");
  const row = document.createElement("tr");
  row.append(corner, ...files.map((file) => {
    const th = document.createElement("th");
    th.scope = "col";
    th.textContent = fileName(file);
    return th;
  }));
  corner.className = "corner";
  head.replaceChildren(row);
  body.replaceChildren(...ranks.map((rank) => {
    const tr = document.createElement("tr");
    const th = document.createElement("th");
    th.scope = "row";
    th.textContent = rankName(rank);
    tr.append(th, ...files.map((file) => {
      const name = "abcdefgh"[file] + (rank + 1);
      return cell(name, found[name]);
    }));
    return tr;
  }));
  drawDrawings();
  if (focused) body.querySelector(`[data-square="${focused}"]`)?.focus();
}

// --- arrows and marked squares, drawn over the board and told in words ---

const squareName = (name) => `${fileName("abcdefgh".indexOf(name[0]))} ${rankName(Number(name[1]) - 1)}`;

// Arrows and marked squares as PGN writes them: colour, origin and target ("Gg1f3"), a mark without a target ("Re4").
function drawings() {
  return (game.fen ? game.drawn : []).map((one) => {
    const from = one.slice(1, 3);
    return { colour: one[0], from, to: one.slice(3) || from };
  });
}

// The path of one shape on a board of 800 by 800: a ring on a square, or a line with its head.
function shape([x, y], [toX, toY]) {
  if (x === toX && y === toY) return `M ${x - 40} ${y} a 40 40 0 1 0 80 0 a 40 40 0 1 0 -80 0`;
  const angle = Math.atan2(toY - y, toX - x);
  const barb = (turn) => `${toX - 34 * Math.cos(angle + turn)} ${toY - 34 * Math.sin(angle + turn)}`;
  return `M ${x} ${y} L ${toX} ${toY} M ${barb(0.5)} L ${toX} ${toY} L ${barb(-0.5)}`;
}

function drawDrawings() {
  const svg = byId("arrows");
  const drawn = drawings();
  const white = game.below === "white";
  const middle = (name) => {
    const place = ["abcdefgh".indexOf(name[0]), 8 - Number(name[1])];
    return place.map((step) => 50 + 100 * (white ? step : 7 - step));
  };
  svg.setAttribute("viewBox", "0 0 800 800");
  svg.replaceChildren(...drawn.flatMap(({ colour, from, to }) => ["under", "edge", `line ${colour}`].map((kind) => {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", shape(middle(from), middle(to)));
    path.setAttribute("class", kind);
    return path;
  })));
  svg.toggleAttribute("hidden", !drawn.length);
  place();
  const told = drawn.map(({ from, to }) =>
    (from === to ? `${text.mark} ${squareName(from)}` : `${text.arrow} ${squareName(from)} ${squareName(to)}`));
  byId("drawn").textContent = `${text.drawn}: ${told.join(". ")}.`;
  byId("drawn").hidden = !drawn.length;
  const marks = drawn.filter(({ from, to }) => from === to).map(({ from }) => from);
  for (const button of byId("board").querySelectorAll("[data-square]")) {
    const name = button.dataset.square;
    const marked = marks.includes(name) ? `. ${text.marked}` : "";
    button.setAttribute("aria-label", `${squareName(name)}: ${button.dataset.holds}${marked}`);
  }
}

// The squares begin behind the names of the ranks; how wide those are depends on the browser.
function place() {
  const cells = byId("board").tBodies[0].querySelectorAll("td");
  if (cells.length < 64) return;
  const frame = byId("frame").getBoundingClientRect();
  const first = cells[0].getBoundingClientRect();
  const last = cells[63].getBoundingClientRect();
  const style = byId("arrows").style;
  style.left = `${first.left - frame.left}px`;
  style.top = `${first.top - frame.top}px`;
  style.width = `${last.right - first.left}px`;
  style.height = `${last.bottom - first.top}px`;
}
new ResizeObserver(place).observe(byId("board"));

function draw() {
  byId("board").hidden = !game || !game.fen;
  byId("covered").hidden = !game || game.fen !== "";
  byId("how").hidden = !words.input || !game || !game.here;
  if (!game) return;
  if (game.fen) drawBoard();
  else drawDrawings();
  const over = { white: "black", black: "white" };
  for (const [place, side] of [["below", game.below], ["above", over[game.below]]]) {
    const row = byId(place);
    row.dataset.side = side;
    row.classList.toggle("moves", !game.result && game.turn === side);
    const name = game.names[side] ? `${text[side]}: ${game.names[side]}` : text[side];
    row.querySelector(".who").textContent = name + (!game.result && game.turn === side ? `. ${text.to_move}` : "");
  }
  const board = game.board ? `${text.number} ${game.board}. ` : "";
  byId("status").textContent = board + (game.result ? `${text.result}: ${game.result}` : "");
  byId("moves").replaceChildren(...game.moves.map((line) => {
    const li = document.createElement("li");
    li.textContent = line;
    return li;
  }));
  byId("moves").scrollTop = byId("moves").scrollHeight;
  tick();
}

function tick() {
  if (!game) return;
  for (const place of ["above", "below"]) {
    const side = byId(place).dataset.side;
    const left = game.clocks[side];
    const node = byId(place).querySelector(".clock");
    if (left === null) {
      node.textContent = "";
      continue;
    }
    const run = game.running === side ? performance.now() - told : 0;
    const seconds = Math.max(0, Math.floor((left - run) / 1000));
    const two = (number) => String(number).padStart(2, "0");
    const hours = Math.floor(seconds / 3600);
    node.textContent = (hours ? `${hours}:${two(Math.floor(seconds / 60) % 60)}` : `${Math.floor(seconds / 60)}`)
      + `:${two(seconds % 60)}`;
  }
}
setInterval(tick, 200);

// --- moves of a sighted player ---

async function send(move) {
  chosen = null;
  drawBoard();
  const answer = await fetch("move", { method: "POST", body: move });
  byId("status").textContent = answer.ok ? "" : text.refused;
}

function choose(name) {
  const found = pieces(game.fen);
  const mine = found[name] && found[name][0] === game.turn[0];
  active = name;
  byId("promotion").hidden = true;
  if (chosen === name || !chosen) {
    chosen = chosen === name || !mine ? null : name;
    drawBoard();
  } else {
    const piece = found[chosen];
    if (piece[1] === "P" && (name[1] === "8" || name[1] === "1")) promote(chosen + name, piece[0]);
    else send(chosen + name);
  }
}

function promote(move, side) {
  const group = byId("promotion");
  const buttons = ["Q", "R", "B", "N"].map((kind) => {
    const button = document.createElement("button");
    const image = document.createElement("img");
    image.src = `piece/${side}${kind}.svg`;
    image.alt = words.pieces[side + kind];
    button.type = "button";
    button.append(image);
    button.addEventListener("click", () => {
      group.hidden = true;
      send(move + kind.toLowerCase());
    });
    return button;
  });
  group.replaceChildren(byId("promotion-title"), ...buttons);
  group.hidden = false;
  buttons[0].focus();
}

if (words.input) {
  const body = byId("board").tBodies[0];
  body.addEventListener("click", (event) => {
    const button = event.target.closest("[data-square]");
    if (button && game.here) choose(button.dataset.square);
    else if (button) byId("status").textContent = text.refused;
  });
  body.addEventListener("keydown", (event) => {
    const turned = game.below === "white" ? 1 : -1;
    const step = { ArrowLeft: [-turned, 0], ArrowRight: [turned, 0], ArrowUp: [0, turned], ArrowDown: [0, -turned] }[event.key];
    const from = event.target.dataset?.square;
    if (!from || event.ctrlKey || event.altKey || event.metaKey) return;
    const kind = "KQRBNP"[words.letters.indexOf(event.key.toUpperCase())];
    if (kind) jump(from, kind, event.shiftKey ? -1 : 1);
    const command = Object.keys(words.commands).find((name) => words.commands[name].includes(event.key.toLowerCase()));
    if (command) byId("status").textContent = command === "time" ? clocks() : game.moves.at(-1) || text.no_move;
    if (!step) return;
    event.preventDefault();
    const file = "abcdefgh".indexOf(from[0]) + step[0];
    const rank = Number(from[1]) + step[1];
    if (file < 0 || file > 7 || rank < 1 || rank > 8) return;
    walk("abcdefgh"[file] + rank);
  });

  function walk(square) {
    active = square;
    for (const button of body.querySelectorAll("[data-square]")) button.tabIndex = button.dataset.square === active ? 0 : -1;
    body.querySelector(`[data-square="${active}"]`).focus();
  }

  function clocks() {
    const sides = ["below", "above"].filter((place) => byId(place).querySelector(".clock").textContent);
    const of = (place) => `${text[byId(place).dataset.side]} ${byId(place).querySelector(".clock").textContent}.`;
    return sides.map(of).join(" ") || text.untimed;
  }

  // To the next piece of this kind, of either side, in the order of the squares; round again behind the last one.
  function jump(from, kind, step) {
    const found = pieces(game.fen);
    const place = (name) => "abcdefgh".indexOf(name[0]) + 8 * (Number(name[1]) - 1);
    const squares = Object.keys(found).filter((name) => found[name][1] === kind);
    const far = (name) => (step * (place(name) - place(from)) + 64) % 64 || 64;
    squares.sort((one, other) => far(one) - far(other));
    if (squares.length) walk(squares[0]);
    else byId("status").textContent = text.none;
  }
}

// --- what is told ---

function add(lines) {
  const list = byId("transcript");
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  for (const line of lines) {
    const li = document.createElement("li");
    const who = document.createElement("b");
    who.textContent = `${text[line.who]}: `;
    li.className = line.who;
    li.append(who, line.text);
    list.append(li);
  }
  while (list.children.length > 200) list.firstChild.remove();
  if (atEnd) list.scrollTop = list.scrollHeight;
  if (!kept.aloud) return;
  const live = byId("live");
  for (const line of lines) {
    const p = document.createElement("p");
    p.textContent = line.text;
    live.append(p); // added, not replaced: of two lines that come at once a screen reader would read the second only
  }
  while (live.children.length > 20) live.firstChild.remove();
}

settle();
const stream = new EventSource("events");
stream.onopen = () => { byId("lost").hidden = true; };
stream.onerror = () => { byId("lost").hidden = false; };
stream.onmessage = (event) => {
  const news = JSON.parse(event.data);
  if (news.whole) byId("transcript").replaceChildren();
  if (news.game) {
    const { clocks: _, drawn, ...before } = game || {};
    const { clocks, drawn: shapes, ...now } = news.game;
    if (!game || game.fen !== news.game.fen) chosen = null;
    const same = JSON.stringify(before) === JSON.stringify(now); // whoever reads the table must not lose their place
    const redrawn = JSON.stringify(drawn) !== JSON.stringify(shapes);
    game = news.game;
    told = performance.now();
    if (!same) draw();
    else {
      tick();
      if (redrawn) drawDrawings();
    }
  }
  add(news.lines);
  root.dataset.ready = "yes"; // for tests
};
