import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

interface Question {
  title: string;
  /** What happens then, and what cannot be undone. */
  consequence: ReactNode;
  /** Label of the button that runs it. */
  action: string;
  /** Label of the button that changes nothing. */
  leave?: string;
  /** Whether something is deleted. */
  takesAway?: boolean;
  run: () => void;
}

/** A name in the title of a question: “laptop”. */
export const quoted = (name: string): string => `“${name}”`;

/** Questions asked before the part of the window that shows them was loaded; undefined from then on. */
let early: Question[] | undefined = [];

/** Asks for confirmation before something that cannot be undone, or that changes more than is visible. */
export function ask(question: Question): void {
  if (early) early.push(question);
  else open(question);
}

/** Shows what was asked so far, and from now on each question at once: the kit drops those that nothing shows. */
export function showQuestions(): void {
  const waiting = early ?? [];
  early = undefined;
  for (const question of waiting) open(question);
}

function open({ title, consequence, action, leave = 'Cancel', takesAway = true, run }: Question): void {
  modals.openConfirmModal({
    title,
    children: consequence,
    labels: { confirm: action, cancel: leave },
    groupProps: { gap: 8, mt: -4, className: 'gh-dialog-footer' },
    // Enter does not take away what was asked about.
    ...(takesAway
      ? { confirmProps: { color: 'red' }, cancelProps: { 'data-autofocus': true } }
      : { confirmProps: { 'data-autofocus': true } }),
    onConfirm: run,
  });
}
