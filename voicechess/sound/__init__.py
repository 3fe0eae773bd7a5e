"""Sound: microphone, recogniser, speaker. With `opponents` the only room that touches the world.

    microphone ─► listener ─► recogniser ─► RecognisedUtterance        speaker ◄─ speech ◄─ render (child process)
     devices (portaudio, miniaudio, files)                             devices

Before a sound library is loaded it is tried out in a child process (`trial`), and devices are opened on threads of
their own (`opening`): libraries abort and hang.

Devices run their own threads and only hand bytes on; every callback given to this room is called on a thread of this
room and must only enqueue. What a person may hear about a failure is a key (`errors.SoundError`), never a sentence.
"""
