/** Runs in the main process under `npm run dev`, which says which part it has built anew. */
const { BrowserWindow, Menu } = require('electron');

process.on('message', (part) => {
  if (part === 'server') Menu.getApplicationMenu()?.getMenuItemById('restart-server')?.click();
  else for (const window of BrowserWindow.getAllWindows()) window.webContents.reloadIgnoringCache();
});
