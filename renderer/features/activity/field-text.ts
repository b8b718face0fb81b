import { formatBytes, formatCount, formatDay, formatMoment, plural, upperFirst } from '../../ui/text/format.ts';
import { isRecord } from '../../api/is-record.ts';

const labels: Readonly<Record<string, string>> = {
  deploy_access_levels: 'Who may deploy',
  approval_rules: 'Approval rules',
  publish_age: 'Backdated by',
  on_refusal: 'Publish by others',
  allow_self_approval: 'Self-approval',
  deployers_wait: 'Publishes of approvers',
  external_url: 'External URL',
  url: 'URL',
  kind: 'Type',
  hasToken: 'Has a token',
  pushUrl: 'Publish URL',
  pushSelection: 'Packages to send',
  pushFrom: 'Projects to send from',
  autoPush: 'Send automatically',
  minimumAgeExceptions: 'Exempt from the minimum age',
  minimumAgeDays: 'Minimum age',
  freshSeconds: 'Check for new versions after',
  budgetMilliseconds: 'Use a cached copy after',
  timeoutMilliseconds: 'Timeout',
};

/** The name of a recorded field as a label: "Expires on" of `expires_on`. */
export function fieldLabel(name: string): string {
  if (Object.hasOwn(labels, name)) return labels[name] ?? name;
  return upperFirst(name.replaceAll('_', ' '));
}

const hour = 3_600_000;
const seconds = (milliseconds: number) => plural(milliseconds / 1000, 'second');
const numbers: Readonly<Record<string, (value: number) => string>> = {
  size: formatBytes,
  publish_age: (value) => plural(Math.round(value / hour), 'hour'),
  minimumAgeDays: (value) => plural(value, 'day'),
  freshSeconds: (value) => plural(value, 'second'),
  budgetMilliseconds: seconds,
  timeoutMilliseconds: seconds,
};

const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  deployers_wait: { true: 'wait for another approver', false: 'happen at once' },
  on_refusal: { refuse: 'fails with an error', stage: 'waits for approval' },
  scopes: { '*': 'all packages' },
  pushSelection: { '*': 'all packages' },
  source: { bundle: 'a bundle' },
  mode: { auto: 'Automatic', on: 'Offline', off: 'Always online' },
};

/** A single recorded value for people: days and times as the system writes them, figures with units and separators. */
export function scalarText(name: string, value: string | number | boolean): string {
  if (typeof value === 'boolean') return words[name]?.[String(value)] ?? (value ? 'yes' : 'no');
  if (typeof value === 'number') return (numbers[name] ?? (/(^|_)id$/i.test(name) ? String : formatCount))(value);
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDay(value);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatMoment(Date.parse(value));
  return words[name]?.[value] ?? value;
}

/** A rule of an environment as the editor calls it, with the approvals that it asks for; undefined if the value is none. */
export function ruleOf(value: unknown): { name: string; approvals: number | undefined } | undefined {
  if (!isRecord(value) || typeof value['description'] !== 'string') return undefined;
  const { access_level: level, description, required_approvals: approvals } = value;
  // GitLab's "Developers + Maintainers" would read as two rules.
  const name = typeof level === 'number' ? description.replace(' + ', ' and ') : description;
  return { name, approvals: typeof approvals === 'number' ? approvals : undefined };
}

/** The rule as a line of its own. */
export function ruleText(value: unknown): string | undefined {
  const rule = ruleOf(value);
  return rule && (rule.approvals === undefined ? rule.name : `${rule.name}: ${plural(rule.approvals, 'approval')}`);
}

/** A recorded state by field. A list alone is one of maintainers. */
export function asRecord(state: unknown): Record<string, unknown> {
  if (isRecord(state)) return state;
  if (Array.isArray(state)) return { maintainers: state };
  return state === null || state === undefined ? {} : { value: state };
}
