import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.layer.css';
import { useEffect } from 'react';
import { showQuestions } from './ask.tsx';

/** Where questions and notices appear, above whatever screen is shown. */
export default function Overlays() {
  // Effects of what is inside come first: it listens by now.
  useEffect(showQuestions, []);
  return (
    <>
      <ModalsProvider labels={{ confirm: 'OK', cancel: 'Cancel' }} />
      <Notifications position="bottom-right" limit={3} autoClose={6000} />
    </>
  );
}
