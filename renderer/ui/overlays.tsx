import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.layer.css';

/** Where questions and notices appear, above whatever screen is shown. */
export default function Overlays() {
  return (
    <>
      <ModalsProvider labels={{ confirm: 'OK', cancel: 'Cancel' }} />
      <Notifications position="bottom-right" limit={3} autoClose={6000} />
    </>
  );
}
