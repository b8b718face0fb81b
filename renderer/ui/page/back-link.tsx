import { Anchor, Group } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface BackLinkProps {
  /** Draws the router's link with these properties. */
  renderRoot: (props: Record<string, unknown>) => ReactNode;
  children: ReactNode;
}

/** Before the title of a page: the screen that it belongs to. */
export function BackLink({ renderRoot, children }: BackLinkProps) {
  return (
    <Anchor c="dimmed" fz="var(--gh-text-lg)" fw={500} underline="never" miw={0} renderRoot={renderRoot}>
      <Group gap={4} wrap="nowrap" mr={-6}>
        {children}
        <IconChevronRight size={14} aria-hidden="true" style={{ flex: 'none' }} />
      </Group>
    </Anchor>
  );
}
