; The installer for Windows: asks for the language and the folder, and for nothing else. No rights are needed.
;
;     makensis -DVERSION=0.1.0 freeze\installer.nsi
;
; packs dist\voicechess, or what -DFOLDER= names, into voicechess-0.1.0-windows-x64.exe, or what -DTARGET= names.
; The tests compile it and run it under Wine, with a 64-bit stub; it has not been run on a Windows yet.

Unicode true
SetCompressor /SOLID lzma

!ifndef VERSION
  !error "Which version? makensis -DVERSION=0.1.0"
!endif
!ifndef FOLDER
  !define FOLDER "..\dist\voicechess"
!endif
!ifndef TARGET
  !define TARGET "..\dist\voicechess-${VERSION}-windows-x64.exe"
!endif
!define KEY "Software\voicechess"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\voicechess"

!include MUI2.nsh

Name "voicechess"
OutFile "${TARGET}"
InstallDir "$LOCALAPPDATA\Programs\voicechess"
InstallDirRegKey HKCU "${KEY}" "Folder"
RequestExecutionLevel user
AutoCloseWindow true

!define MUI_LANGDLL_ALWAYSSHOW
!define MUI_LANGDLL_REGISTRY_ROOT HKCU
!define MUI_LANGDLL_REGISTRY_KEY "${KEY}"
!define MUI_LANGDLL_REGISTRY_VALUENAME "Language"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_RESERVEFILE_LANGDLL

LangString GAMES ${LANG_GERMAN} "Ihre Partien und Einstellungen bleiben in $LOCALAPPDATA\voicechess."
LangString GAMES ${LANG_ENGLISH} "Your games and settings stay in $LOCALAPPDATA\voicechess."
LangString HANDBOOK ${LANG_GERMAN} "voicechess Handbuch"
LangString HANDBOOK ${LANG_ENGLISH} "voicechess manual"
LangString HANDBOOK_FILE ${LANG_GERMAN} "handbuch.html"
LangString HANDBOOK_FILE ${LANG_ENGLISH} "manual.html"

Function .onInit
  !insertmacro MUI_LANGDLL_DISPLAY
FunctionEnd

Function un.onInit
  !insertmacro MUI_UNGETLANGUAGE
FunctionEnd

Section
  SetOutPath "$INSTDIR"
  RMDir /r "$INSTDIR\_internal" ; what an earlier version had and this one has not
  File /r "${FOLDER}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  StrCpy $0 ""
  ${If} $LANGUAGE == ${LANG_ENGLISH} ; the program speaks German unless it is told otherwise
    StrCpy $0 "--lang en"
  ${EndIf}
  CreateShortcut "$SMPROGRAMS\voicechess.lnk" "$INSTDIR\voicechess.exe" "$0"
  CreateShortcut "$SMPROGRAMS\$(HANDBOOK).lnk" "$INSTDIR\$(HANDBOOK_FILE)"
  WriteRegStr HKCU "${KEY}" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "voicechess"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

; The games stay: they are not in this folder. A message says where they lie, unless the run is a silent one.
Section "Uninstall"
  Delete "$SMPROGRAMS\voicechess.lnk"
  Delete "$SMPROGRAMS\$(HANDBOOK).lnk"
  Delete "$INSTDIR\handbuch.*"
  Delete "$INSTDIR\manual.*"
  Delete "$INSTDIR\voicechess.exe"
  Delete "$INSTDIR\uninstall.exe"
  RMDir /r "$INSTDIR\_internal"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "${KEY}"
  DetailPrint "$(GAMES)"
  MessageBox MB_OK "$(GAMES)" /SD IDOK
SectionEnd
