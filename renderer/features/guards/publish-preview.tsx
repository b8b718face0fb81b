import { Modal, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { PublishPreview } from '../../../server/contract/guards.ts';
import { usePublishPreview } from '../../api/guards.ts';
import { quoted } from '../../ui/feedback/ask.tsx';
import { Pending } from '../../ui/feedback/pending.tsx';
import { Chip } from '../../ui/text/chip.tsx';
import '../../ui/lists/list.css';
import '../../ui/rules/rules.css';
import './guards.css';

const outcomes = {
  published: { label: 'May publish', tone: 'accent' },
  staged: { label: 'Waits for approval', tone: 'warn' },
  refused: { label: 'Refused', tone: 'danger' },
} as const satisfies Record<PublishPreview['outcome'], { label: string; tone: string }>;

interface PublishPreviewDialogProps {
  projectId: number;
  /** What the field has at first. */
  tag: string;
  onClose: () => void;
}

/** What a publish with a dist-tag would become, for everyone who may publish, without doing it. */
export function PublishPreviewDialog({ projectId, tag: first, onClose }: PublishPreviewDialogProps) {
  const [typed, setTyped] = useState(first);
  const [tag] = useDebouncedValue(typed.trim(), 150);
  const { data, error } = usePublishPreview(projectId, tag);
  return (
    <Modal opened onClose={onClose} title="Who may publish to a tag" size={560}>
      <Stack gap={12}>
        <TextInput
          label="Dist-tag"
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          description={
            data === undefined
              ? 'What happens when these users run npm publish with this tag.'
              : data.guard === null
                ? 'Not guarded: everyone who may publish can move it.'
                : data.guard.deployersWait
                  ? `Guarded by the environment ${quoted(data.guard.environment)}: everyone but administrators needs an approval.`
                  : `Guarded by the ${data.guard.protected ? `rules of the environment ${quoted(data.guard.environment)}` : `environment ${quoted(data.guard.environment)}, which is not protected: the role alone decides`}.`
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {data === undefined ? (
          tag === '' ? null : (
            <Pending what="who may publish" error={error} />
          )
        ) : (
          <ul className="gh-list gh-preview-list" aria-label={`What npm publish --tag ${tag} becomes`} tabIndex={0}>
            {data.users.map(({ user, outcome, reason }) => (
              <li key={user.id}>
                <div className="gh-rule-text">
                  <strong>{user.name}</strong> <span className="gh-faint gh-small">@{user.username}</span>
                  <div className="gh-muted gh-small">{reason}</div>
                </div>
                <Chip tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Chip>
              </li>
            ))}
          </ul>
        )}
      </Stack>
    </Modal>
  );
}
