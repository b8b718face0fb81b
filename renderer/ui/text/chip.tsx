import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { TailText } from './tail-text.tsx';
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
      {typeof children === 'string' && children.length > 22 ? <TailText text={children} tail={6} /> : children}
    </Badge>
  );
}
