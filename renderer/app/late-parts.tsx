import '@mantine/notifications/styles.layer.css';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { showQuestions } from '../ui/feedback/ask.tsx';
import { Tips } from '../ui/text/tips.tsx';
import { RowMenus } from '../ui/lists/row-menus.tsx';

/** What the first screen does not show: menus of rows, tooltips, questions and notifications. Loaded after it, hence the default export. */
export default function LateParts() {
  useEffect(showQuestions, []);
  return (
    <>
      <RowMenus />
      <Tips />
      <ModalsProvider />
      {/* Below dialogs, whose shade covers them. */}
      <Notifications position="bottom-right" limit={3} autoClose={6000} zIndex={199} />
    </>
  );
}
