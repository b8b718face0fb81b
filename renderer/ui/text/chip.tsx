import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Tone } from '../theme/theme.ts';

interface ChipProps {
  tone?: Tone;
  title?: string;
  children: ReactNode;
}

/** A small label: a dist-tag, a state, a rule. */
export function Chip({ tone = 'plain', title, children }: ChipProps) {
  return (
    <Badge className="gh-chip" component="span" color={tone} variant="light" title={title}>
      {children}
    </Badge>
  );
}
