import { Group, Stack, Text } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';

interface EditorFrameProps {
  /** Names the form for screen readers. */
  label: string;
  title: ReactNode;
  /** One line below the title. */
  intro: ReactNode;
  /** Beside the title. */
  action?: ReactNode;
  /** Below what scrolls: the status and the buttons. */
  footer: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
}

/** The form at the right of the list of environments: a title, fields that scroll, and buttons that stay in sight. */
export function EditorFrame({ label, title, intro, action, footer, onSubmit, children }: EditorFrameProps) {
  return (
    <form className="gh-editor" aria-label={label} onSubmit={onSubmit}>
      <div className="gh-editor-body">
        <Stack gap={16} maw="var(--gh-editor-width)">
          <div>
            <Group gap={12} wrap="nowrap" align="start" justify="space-between">
              <h2>{title}</h2>
              {action}
            </Group>
            <Text c="dimmed" mt={6}>
              {intro}
            </Text>
          </div>
          {children}
        </Stack>
      </div>
      {footer === null ? null : <div className="gh-editor-footer">{footer}</div>}
    </form>
  );
}
