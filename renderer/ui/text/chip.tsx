import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { tip } from './tip.ts';
import type { Tone } from '../theme/theme.ts';

interface ChipProps {
  tone?: Tone;
  /** Its tooltip. */
  detail?: string | undefined;
  children: ReactNode;
}

/** A small label: a dist-tag, a state, a rule. */
export function Chip({ tone = 'plain', detail, children }: ChipProps) {
  return (
    <Badge className="gh-chip" component="span" color={tone} variant="light" {...tip(detail)}>
      {children}
    </Badge>
  );
}
