import { Button, Progress } from '@mantine/core';
import { PathText } from '../../ui/text/path-text.tsx';

/** Where something is taken from, and where to. */
export function FromTo({ from, to }: { from: string; to: string }) {
  return (
    <p>
      From{' '}
      <span className="gh-mono">
        <PathText path={from} />
      </span>
      <br />
      to{' '}
      <span className="gh-mono">
        <PathText path={to} />
      </span>
    </p>
  );
}

interface RunningTaskProps {
  /** What runs, which is the title of the screen, too. */
  name: string;
  /** Null while unknown. */
  percent: number | null;
  status: string;
  /** What to know meanwhile. */
  note?: string;
  cancelLabel: string;
  isStopping: boolean;
  onCancel: () => void;
}

/** How far something is that runs in place of the registry, and a button that cancels it. */
export function RunningTask({ name, percent, status, note, cancelLabel, isStopping, onCancel }: RunningTaskProps) {
  return (
    <>
      <Progress value={percent ?? 100} animated={percent === null} size="md" mt={24} aria-label={name} />
      <p className="gh-muted gh-figures" role="status">
        {status}
      </p>
      {note === undefined ? null : <p>{note}</p>}
      <div className="gh-startup-actions">
        <Button variant="default" loading={isStopping} onClick={onCancel}>
          {cancelLabel}
        </Button>
      </div>
    </>
  );
}
