import { ActionIcon, Button, Progress } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleMinus, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatCount, formatPercent } from '../text/format.ts';
import { Moment } from '../text/moment.tsx';
import { PathText } from '../text/path-text.tsx';
import '../lists/list.css';

interface JobCardProps {
  job: {
    state: 'running' | 'done' | 'failed' | 'cancelled';
    startedAt: number;
    finishedAt: number | null;
  };
  name: string;
  /** Whether it ended with something to look at. */
  hasProblems: boolean;
  /** In percent; undefined while the total is not known. */
  progress: number | undefined;
  /** How far it is or how it ended, in a sentence. */
  outcome: string;
  problems: readonly { key: string; text: ReactNode }[];
  onCancel: () => void;
  /** Hides it once it has ended. */
  onDismiss: () => void;
  /** What else can be done about it. */
  action?: ReactNode;
}

const problemsShown = 20;

/** Something that takes a while: its progress, then how it ended. */
export function JobCard(props: JobCardProps) {
  const { job, name, progress, problems } = props;
  const running = job.state === 'running';
  const more = problems.length - problemsShown;
  return (
    <article className="gh-job" aria-label={name}>
      <div className="gh-row">
        {running ? null : job.state === 'cancelled' ? (
          <IconCircleMinus size={16} color="var(--gh-faint)" aria-hidden="true" />
        ) : job.state === 'failed' || props.hasProblems ? (
          <IconAlertTriangle size={16} color="var(--gh-danger)" aria-hidden="true" />
        ) : (
          <IconCircleCheck size={16} color="var(--gh-accent)" aria-hidden="true" />
        )}
        <strong className="gh-truncate">{name}</strong>
        <span className="gh-capital gh-faint">
          <Moment time={job.finishedAt ?? job.startedAt} />
        </span>
        <span className="gh-spacer" />
        {running && progress !== undefined ? (
          <span className="gh-muted gh-figures">{formatPercent(progress)}</span>
        ) : null}
        {running ? (
          <Button variant="default" size="compact-xs" onClick={props.onCancel}>
            Cancel
          </Button>
        ) : null}
        {props.action}
        {running ? null : (
          <ActionIcon size="sm" aria-label={`Dismiss ${name}`} data-tip="Dismiss" onClick={props.onDismiss}>
            <IconX size={14} />
          </ActionIcon>
        )}
      </div>
      {running ? (
        <Progress value={progress ?? 100} animated={progress === undefined} aria-label={name} size={6} />
      ) : null}
      <div className="gh-muted" role="status">
        <PathText path={props.outcome} />
      </div>
      {problems.length > 0 ? (
        <ul>
          {problems.slice(0, problemsShown).map(({ key, text }) => (
            <li key={key}>{text}</li>
          ))}
          {more > 0 ? <li>and {formatCount(more)} more</li> : null}
        </ul>
      ) : null}
    </article>
  );
}
