import { Button, Progress } from '@mantine/core';
import { useId, useState } from 'react';
import type { MoveProgress } from '../../../server/contract/bridge.ts';
import { stopMove } from '../../api/app.ts';
import { formatBytes } from '../../ui/text/format.ts';
import { Logo } from '../../ui/theme/logo.tsx';
import { PathText } from '../../ui/text/path-text.tsx';
import { useFirstFocus } from '../../ui/forms/use-first-focus.ts';

/** Shown while the data folder is copied; the registry is stopped meanwhile. */
export default function MovingScreen({ progress: { from, to, done, total } }: { progress: MoveProgress }) {
  const label = useId();
  const heading = useFirstFocus();
  const [stopping, setStopping] = useState(false);
  const percent = total === 0 ? 0 : Math.floor((done / total) * 100);
  return (
    <main className="gh-startup">
      <div className="gh-startup-card" data-phase="moving">
        <Logo size={36} />
        <h1 ref={heading} tabIndex={-1} id={label}>
          Moving the data folder
        </h1>
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
        <Progress.Root size="md" mt={24} aria-labelledby={label}>
          <Progress.Section value={percent} aria-labelledby={label} />
        </Progress.Root>
        <p className="gh-muted gh-figures" role="status">
          {total === 0 ? 'Counting…' : `${percent} % of ${formatBytes(total / 2)} copied and checked`}
        </p>
        <p>The registry is stopped meanwhile. Nothing is deleted.</p>
        <div className="gh-startup-actions">
          <Button
            variant="default"
            loading={stopping}
            onClick={() => {
              setStopping(true);
              void stopMove();
            }}
          >
            Cancel the move
          </Button>
        </div>
      </div>
    </main>
  );
}
