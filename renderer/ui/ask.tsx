import { modals } from '@mantine/modals';

interface Question {
  title: string;
  /** What happens then, and what cannot be taken back. */
  consequence: string;
  action: string;
  /** What the button says that leaves everything as it is. */
  leave?: string;
  /** Whether the action takes something away. */
  takesAway?: boolean;
  run: () => void;
}

/** Questions that were asked before anything could show them; undefined from then on. */
let early: Question[] | undefined = [];

/** Asks before something that cannot be taken back, or that changes more than one sees. */
export function ask(question: Question): void {
  if (early) early.push(question);
  else show(question);
}

/** Shows what was asked so far and from now on: what shows questions is there. */
export function showQuestions(): void {
  const asked = early ?? [];
  early = undefined;
  for (const question of asked) show(question);
}

function show({ title, consequence, action, leave = 'Cancel', takesAway = true, run }: Question): void {
  modals.openConfirmModal({
    title,
    children: consequence,
    labels: { confirm: action, cancel: leave },
    ...(takesAway ? { confirmProps: { color: 'red' } } : {}),
    onConfirm: run,
  });
}
