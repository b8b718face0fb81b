import '@mantine/notifications/styles.layer.css';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { RowMenus } from '../ui/lists/row-menu.tsx';

/** What the first screen does not show: menus of rows, questions and notifications. Loaded after it, hence the default export. */
export default function LateParts() {
  return (
    <>
      <RowMenus />
      <ModalsProvider />
      <Notifications position="bottom-right" limit={3} autoClose={6000} />
    </>
  );
}
