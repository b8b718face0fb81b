import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { copyText } from '../../api/app.ts';

interface ToastAction {
  label: string;
  run: () => void;
}

const offers = new Set<string>();

/** Hides what `showDone` said: its buttons belong to the screen that it was said on. */
export function hideOffers(): void {
  for (const id of offers) notifications.hide(id);
  offers.clear();
}

/**
 * Says that something is done, with what one may want next, until one leaves the screen. One with the same `id` takes the place of the
 * former.
 */
export function showDone(message: string, id: string, { label, run }: ToastAction): void {
  notifications.hide(id);
  offers.add(id);
  notifications.show({
    id,
    message: (
      <span className="gh-row">
        <span>{message}</span>
        <span className="gh-spacer" />
        <Button
          size="compact-xs"
          variant="light"
          flex="none"
          onClick={() => {
            notifications.hide(id);
            run();
          }}
        >
          {label}
        </Button>
      </span>
    ),
  });
}

/** Says what became of the data until it is closed, as it may have taken long; the next one takes its place. */
export function showDataOutcome(title: string, message: ReactNode): void {
  const id = 'data-outcome';
  notifications.hide(id);
  notifications.show({ id, title, message, autoClose: false });
}

/** Copies a text, and says which, or `what` it is. */
export function copyAndSay(text: string, what = text): void {
  void copyText(text).then(() => notifications.show({ message: `Copied ${what}` }));
}
