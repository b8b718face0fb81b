import { modals } from '@mantine/modals';

interface Question {
  title: string;
  /** What happens then, and what cannot be taken back. */
  consequence: string;
  action: string;
  run: () => void;
}

/** Asks before something that cannot be taken back. */
export function ask({ title, consequence, action, run }: Question): void {
  modals.openConfirmModal({
    title,
    children: consequence,
    labels: { confirm: action, cancel: 'Cancel' },
    confirmProps: { color: 'red' },
    onConfirm: run,
  });
}
