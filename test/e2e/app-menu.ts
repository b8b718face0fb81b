import type { ElectronApplication } from 'playwright';

/** Chooses the item of the application menu with this label. */
export async function chooseInMenu(app: ElectronApplication, label: string): Promise<void> {
  await app.evaluate(({ Menu }, wanted) => {
    const items = Menu.getApplicationMenu()?.items.flatMap((menu) => menu.submenu?.items ?? []) ?? [];
    const item = items.find((each) => each.label === wanted);
    if (item === undefined) throw new Error(`The application menu has no ${wanted}`);
    item.click();
  }, label);
}
