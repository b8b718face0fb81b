import { Button, Modal, Stack } from '@mantine/core';
import { IconHourglassHigh } from '@tabler/icons-react';
import type { WaitingRelease } from '../../../../server/contract/releases.ts';
import { useDecideRelease, useReleases } from '../../../api/packages.ts';
import { ask } from '../../../ui/feedback/ask.tsx';
import { Chip } from '../../../ui/text/chip.tsx';
import { formatBytes, plural } from '../../../ui/text/format.ts';
import { Moment } from '../../../ui/text/moment.tsx';
import { ErrorNotice } from '../../../ui/feedback/notice.tsx';
import '../../../ui/lists/list.css';
import './staged-versions.css';

export interface StagedVersionsProps {
  /** Only those of this package. */
  name?: string;
  projectId?: number;
  /** Whether the list of them is open. */
  reviewing: boolean;
  onReview: (open: boolean) => void;
}

/** Above the packages, or one of them: versions that were uploaded with `npm stage publish` and are not published yet. */
export function StagedVersions({ name, projectId, reviewing, onReview }: StagedVersionsProps) {
  const { data: all = [] } = useReleases();
  const staged = all.filter(
    (each) =>
      each.kind === 'version' &&
      (name === undefined || each.name === name) &&
      (projectId === undefined || each.projectId === projectId),
  );
  if (staged.length === 0) return null;
  return (
    <div className="gh-staged" role="status">
      <IconHourglassHigh size={16} aria-hidden="true" />
      <span className="gh-truncate">
        {plural(staged.length, 'version')} {staged.length === 1 ? 'waits' : 'wait'} to be published
        {name === undefined ? `: ${namesOf(staged)}` : ''}
      </span>
      <span className="gh-spacer" />
      <Button size="compact-xs" variant="default" onClick={() => onReview(true)}>
        Review…
      </Button>
      <Modal opened={reviewing} onClose={() => onReview(false)} title="Staged versions" size={680}>
        <StagedList staged={staged} />
      </Modal>
    </div>
  );
}

function namesOf(staged: readonly WaitingRelease[]): string {
  return staged.map((each) => `${each.name}@${each.version}`).join(', ');
}

function StagedList({ staged }: { staged: readonly WaitingRelease[] }) {
  const settle = useDecideRelease();
  return (
    <Stack gap={12}>
      <p className="gh-staged-text">
        Uploaded with npm stage publish. They cannot be installed until they are published.
      </p>
      <ul className="gh-list" aria-label="Staged versions">
        {staged.map((each) => (
          <li key={each.id}>
            <div className="gh-staged-what">
              <div className="gh-row">
                <strong className="gh-mono gh-truncate">
                  {each.name}@{each.version}
                </strong>
                {each.tags.map((tag) => (
                  <Chip key={tag}>{tag}</Chip>
                ))}
              </div>
              <div className="gh-faint gh-truncate">
                {each.requester}, <Moment time={each.createdAt} />, {formatBytes(each.size)}, to {each.projectPath}
              </div>
            </div>
            <Button
              variant="default"
              disabled={settle.isPending}
              aria-label={`Reject ${each.name}@${each.version}`}
              onClick={() =>
                ask({
                  title: `Reject ${each.name}@${each.version}?`,
                  consequence: 'The upload is deleted. The version can be staged again.',
                  action: 'Reject',
                  run: () => settle.mutate({ id: each.id, approve: false }),
                })
              }
            >
              Reject…
            </Button>
            <Button
              loading={settle.isPending && settle.variables.id === each.id}
              aria-label={`Publish ${each.name}@${each.version}`}
              onClick={() => settle.mutate({ id: each.id, approve: true })}
            >
              Publish
            </Button>
          </li>
        ))}
      </ul>
      {settle.error ? <ErrorNotice error={settle.error} /> : null}
    </Stack>
  );
}
