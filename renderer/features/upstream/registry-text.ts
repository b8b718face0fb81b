import type { Upstream, UpstreamKind } from '../../../server/contract/upstream.ts';
import type { Tone } from '../../ui/theme.ts';

export const kindLabels: Record<UpstreamKind, string> = {
  npm: 'npm',
  gitlab: 'GitLab',
  verdaccio: 'Verdaccio',
  gatehouse: 'Gatehouse',
  archive: 'Bundles',
};

/** How a registry stands, in a word, with what there is to say about it. */
export function standingOf(upstream: Pick<Upstream, 'kind' | 'enabled' | 'state'>): {
  label: string;
  tone: Tone;
  detail: string;
} {
  if (upstream.kind === 'archive')
    return { label: 'On this disk', tone: 'plain', detail: 'It is never asked anything.' };
  if (!upstream.enabled)
    return { label: 'Off', tone: 'plain', detail: 'It is not asked; what is kept of it is served.' };
  const { status, lastError } = upstream.state;
  switch (status) {
    case 'reachable':
      return { label: 'Answers', tone: 'accent', detail: '' };
    case 'away':
      return { label: 'Away', tone: 'warn', detail: lastError ?? '' };
    case 'offline':
      return { label: 'Offline', tone: 'plain', detail: 'The offline switch is on.' };
    case 'unknown':
      return { label: 'Not asked yet', tone: 'plain', detail: '' };
  }
}

/** What is asked there, as one line. */
export function scopesText(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'nothing';
  return scopes.map((scope) => (scope === '*' ? 'every other name' : scope)).join(', ');
}
