import { Alert, Group } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconHourglassHigh, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { errorSentences } from '../../api/call.ts';

interface NoticeProps {
  tone?: 'plain' | 'done' | 'waits' | 'warn' | 'danger';
  title?: string;
  children?: ReactNode;
  actions?: ReactNode;
}

const icons = {
  plain: IconInfoCircle,
  done: IconCircleCheck,
  waits: IconHourglassHigh,
  warn: IconAlertTriangle,
  danger: IconAlertTriangle,
} as const;

/** Something to know before going on. Warnings and errors are also announced to screen readers. */
export function Notice({ tone = 'plain', title, children, actions }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <Alert
      color={tone === 'done' ? 'accent' : tone === 'waits' ? 'warn' : tone}
      role={tone === 'warn' || tone === 'danger' ? 'alert' : 'note'}
      icon={<Icon size={17} aria-hidden="true" />}
      title={title}
    >
      {children}
      {actions === undefined ? null : (
        <Group gap={8} mt={8}>
          {actions}
        </Group>
      )}
    </Alert>
  );
}

/** The sentences of a failed call. */
export function ErrorNotice({ error, title, actions }: { error: unknown; title?: string; actions?: ReactNode }) {
  const sentences = errorSentences(error);
  return (
    <Notice tone="danger" {...(title === undefined ? {} : { title })} actions={actions}>
      {sentences.length === 1 ? (
        <Sentence text={sentences[0] ?? ''} />
      ) : (
        <ul style={{ margin: 0, paddingLeft: 18 }}>
          {sentences.map((sentence) => (
            <li key={sentence}>
              <Sentence text={sentence} />
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/** A sentence that does not break within a quoted sign, such as a hyphen. */
function Sentence({ text }: { text: string }) {
  return text.split(/('[^'\w\s]+')/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // Parts may be equal, so that the index is the key.
      <span key={index} style={{ whiteSpace: 'nowrap' }}>
        {part}
      </span>
    ),
  );
}
