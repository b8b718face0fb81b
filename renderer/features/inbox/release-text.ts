import type { WaitingRelease } from '../../../server/contract/releases.ts';
import { plural } from '../../ui/text/format.ts';

/** A release by name: `@acme/boiler@1.2.0`. */
export function releaseName({ name, version }: Pick<WaitingRelease, 'name' | 'version'>): string {
  return `${name}@${version}`;
}

/** What is approved or rejected: the release, or the move of its tags: "moving latest of @acme/boiler to 1.2.0". */
export function subjectOf(release: Pick<WaitingRelease, 'kind' | 'name' | 'version' | 'tags'>): string {
  const { kind, name, version, tags } = release;
  return kind === 'version' ? releaseName(release) : `moving ${tags.join(' and ')} of ${name} to ${version}`;
}

/** What was asked for, after the name of the person: "wants to publish this version and move latest from 1.1.0 to it". */
export function wishOf({ kind, tags, current }: Pick<WaitingRelease, 'kind' | 'tags' | 'current'>): string {
  const it = kind === 'version' ? 'it' : 'this version';
  const moves = tags.map((tag, index) => {
    const now = current[index] ?? null;
    return now === null ? `give ${it} the new tag ${tag}` : `move ${tag} from ${now} to ${it}`;
  });
  return `wants to ${[...(kind === 'version' ? ['publish this version'] : []), ...moves].join(' and ')}`;
}

/** How many of the required approvals were given, for the list: "1 of 3 approvals"; "Ready" where none is missing. */
export function progressOf({ gates, missing }: Pick<WaitingRelease, 'gates' | 'missing'>): string {
  const rules = gates.flatMap((gate) => gate.rules);
  // Unguarded, it needs one approval of anyone who may publish.
  if (rules.length === 0) return '0 of 1 approval';
  if (missing === '') return 'Ready';
  const given = rules.reduce((sum, { required, approvedBy }) => sum + Math.min(required, approvedBy.length), 0);
  const required = rules.reduce((sum, rule) => sum + rule.required, 0);
  return `${given} of ${plural(required, 'approval')}`;
}

/** What happens by an approval that leaves `missing`, a part of a sentence that is empty for the last one. */
export function afterApproval(release: Pick<WaitingRelease, 'kind' | 'name' | 'version' | 'tags'>, missing: string) {
  const what = releaseName(release);
  if (missing !== '') return `${what} keeps waiting. It still needs ${missing}.`;
  const tags = `${release.tags.join(' and ')} ${release.tags.length === 1 ? 'points' : 'point'} to it`;
  return release.kind === 'version'
    ? `${what} is published at once, and ${tags}.`
    : `${release.tags.join(' and ')} ${release.tags.length === 1 ? 'moves' : 'move'} to ${release.version} at once.`;
}

/** The requests that end when these tags of a package change or these versions go, as a sentence; empty if there are none. */
export function closedBy(
  changed: Pick<WaitingRelease, 'projectId' | 'name' | 'tags'> & { unpublished?: readonly string[] },
  waiting: readonly Pick<WaitingRelease, 'kind' | 'projectId' | 'name' | 'version' | 'tags'>[],
): string {
  const ended = waiting.filter(
    ({ kind, projectId, name, version, tags }) =>
      kind === 'tag' &&
      projectId === changed.projectId &&
      name === changed.name &&
      (changed.unpublished?.includes(version) || tags.some((tag) => changed.tags.includes(tag))),
  );
  if (ended.length === 0) return '';
  const moves = ended.map(({ tags, version }) => `${tags.join(' and ')} to ${version}`).join(', ');
  return ended.length === 1
    ? `The request to move ${moves} is closed as outdated.`
    : `The requests to move ${moves} are closed as outdated.`;
}

const factNames: Readonly<Record<string, string>> = { license: 'License', os: 'OS', cpu: 'CPU' };

/** The name of a fact of a manifest, as a label. */
export function factLabel(name: string): string {
  return factNames[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}

/** A fact of a manifest for people: lists with commas, objects as "node >=20", persons by name. Null where it is not set. */
export function factText(value: string | null): string {
  if (value === null) return 'none';
  try {
    return plain(JSON.parse(value)) || 'none';
  } catch {
    return value;
  }
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  if ('name' in value && typeof value.name === 'string') return value.name;
  if ('url' in value && typeof value.url === 'string') return value.url;
  return Object.entries(value)
    .map(([name, each]) => `${name} ${plain(each)}`)
    .join(', ');
}
