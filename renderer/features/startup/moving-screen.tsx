import { useState } from 'react';
import type { MoveProgress } from '../../../server/contract/bridge.ts';
import { stopMove } from '../../api/app.ts';
import { formatBytes, formatPercent } from '../../ui/text/format.ts';
import { Logo } from '../../ui/theme/logo.tsx';
import { useFirstFocus } from '../../ui/forms/use-first-focus.ts';
import { FromTo, RunningTask } from './running-task.tsx';

const title = 'Moving the data folder';

/** Shown while the data folder is copied; the registry is stopped meanwhile. */
export default function MovingScreen({ progress: { from, to, done, total } }: { progress: MoveProgress }) {
  const heading = useFirstFocus();
  const [stopping, setStopping] = useState(false);
  const percent = total === 0 ? 0 : (done / total) * 100;
  return (
    <main className="gh-startup">
      <div className="gh-startup-card" data-phase="moving">
        <Logo size={36} />
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <FromTo from={from} to={to} />
        <RunningTask
          name={title}
          percent={Math.floor(percent)}
          status={
            total === 0 ? 'Counting…' : `${formatPercent(percent)} of ${formatBytes(total / 2)} copied and checked`
          }
          note="The registry is stopped meanwhile. Nothing is deleted."
          cancelLabel="Cancel the move"
          isStopping={stopping}
          onCancel={() => {
            setStopping(true);
            void stopMove();
          }}
        />
      </div>
    </main>
  );
}
