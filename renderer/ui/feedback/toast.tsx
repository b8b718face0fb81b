import { Button } from '@mantine/core';
import { notifications, notificationsStore } from '@mantine/notifications';
import { Fragment, type ReactNode } from 'react';
import { copyText } from '../../api/app.ts';
import { PathText } from '../text/path-text.tsx';
import { TailText } from '../text/tail-text.tsx';
import './toast.css';

interface ToastAction {
  label: string;
  run: () => void;
}

/** How many messages offered something. The last one is shown: one with a name of its own, as it would else end when the former does. */
let offers = 0;
let lastOffer: (ToastAction & { id: string }) | undefined;

/** A sentence with names, each of which takes one line at most, with the words before it: said`Removed ${tag} from ${name}`. */
export function said(words: TemplateStringsArray, ...names: string[]): ReactNode {
  return (
    <span className="gh-said">
      {names.map((name, index) => (
        // A sentence does not change.
        <Fragment key={index}>
          <span>
            {words[index]?.trimStart()}
            <b>
              <TailText text={name} tail={14} />
            </b>
          </span>{' '}
        </Fragment>
      ))}
      {words[names.length]?.trimStart()}
    </span>
  );
}

/**
 * Says that something is done, with what one may want next, which is offered for a while on other screens, too: `run` has to work there and
 * say what came of it. It takes the place of the former one: of two that offer to undo much the same, one would have to be picked.
 */
export function showDone(message: ReactNode, { label, run }: ToastAction): void {
  if (lastOffer !== undefined) notifications.hide(lastOffer.id);
  offers += 1;
  const offer = { id: `offer-${offers}`, label, run };
  lastOffer = offer;
  notifications.show({
    id: offer.id,
    // Long enough to look at what came of it first.
    autoClose: 20_000,
    message: (
      <div className="gh-row">
        <div className="gh-toast-text">{message}</div>
        <Button size="compact-xs" variant="light" flex="none" onClick={() => accept(offer)}>
          {label}
        </Button>
      </div>
    ),
  });
}

/** Undoes the last thing as its message offers it, while that is shown; else says where to look. */
export function undoLast(): void {
  const shown = notificationsStore.getState().notifications;
  if (lastOffer?.label === 'Undo' && shown.some(({ id }) => id === lastOffer?.id)) {
    accept(lastOffer);
    return;
  }
  notifications.show({ id: 'nothing-to-undo', message: 'Nothing to undo here. Activity can undo earlier changes.' });
}

/** Does what a message offers, once. A message that fades out can still be pressed, when it is taken already or a later one has come. */
function accept(offer: ToastAction & { id: string }): void {
  if (offer !== lastOffer) return;
  lastOffer = undefined;
  notifications.hide(offer.id);
  offer.run();
}

/** Says what came of a call that began on a screen which may be left by then. Its errors are shown as those of all calls. */
export function sayWhenDone(call: Promise<unknown>, message: ReactNode): void {
  void call.then(
    () => notifications.show({ message }),
    () => undefined,
  );
}

/** Says what became of the data until it is closed, as it may have taken long; the next one takes its place. */
export function showDataOutcome(title: ReactNode, message: string): void {
  const id = 'data-outcome';
  notifications.hide(id);
  notifications.show({ id, title, message: <PathText path={message} />, autoClose: false });
}

/** Copies a text, and says which, or `what` it is. */
export function copyAndSay(text: string, what = text): void {
  void copyText(text).then(() => notifications.show({ message: said`Copied ${what}` }));
}
