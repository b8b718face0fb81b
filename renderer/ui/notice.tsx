import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { errorSentences } from '../api/call.ts';
import './notice.css';

interface NoticeProps {
  tone?: 'plain' | 'done' | 'warn' | 'danger';
  title?: string;
  children?: ReactNode;
  actions?: ReactNode;
}

const icons = {
  plain: IconInfoCircle,
  done: IconCircleCheck,
  warn: IconAlertTriangle,
  danger: IconAlertTriangle,
} as const;

/** Something to know before going on. Warnings and errors are also announced. */
export function Notice({ tone = 'plain', title, children, actions }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className="gh-notice" data-tone={tone} role={tone === 'warn' || tone === 'danger' ? 'alert' : undefined}>
      <Icon size={17} aria-hidden="true" />
      <div className="gh-notice-body">
        {title === undefined ? null : <div className="gh-notice-title">{title}</div>}
        {children}
        {actions === undefined ? null : <div className="gh-notice-actions">{actions}</div>}
      </div>
    </div>
  );
}

/** What a failed call has to say. */
export function ErrorNotice({ error, title, actions }: { error: unknown; title?: string; actions?: ReactNode }) {
  const sentences = errorSentences(error);
  return (
    <Notice tone="danger" {...(title === undefined ? {} : { title })} actions={actions}>
      {sentences.length === 1 ? (
        <div>{sentences[0]}</div>
      ) : (
        <ul>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
