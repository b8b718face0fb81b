@echo off
rem The command of an installed desktop app. It needs a Node.js beside the app, which refuses to run as one itself.
setlocal
if "%GATEHOUSE_NODE%"=="" set "GATEHOUSE_NODE=node"
where "%GATEHOUSE_NODE%" >nul 2>nul || if not exist "%GATEHOUSE_NODE%" (
  echo gatehouse: no Node.js is found as "%GATEHOUSE_NODE%". Install Node.js 22.19 or newer, or name one with GATEHOUSE_NODE. 1>&2
  exit /b 1
)
"%GATEHOUSE_NODE%" "%~dp0..\app.asar.unpacked\out\server\gatehouse.js" %*
