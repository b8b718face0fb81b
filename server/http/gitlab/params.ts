import { isDate } from '../../lib/calendar.ts';
import { ParameterError } from '../errors.ts';
import type { JsonSchema } from '../operation.ts';
import type { Parameters } from './request-parameters.ts';

/**
 * The parameter layer: what GitLab's framework does between routing and the endpoint, with its leniency and its words. All
 * complaints about a request are reported together, in the order of the declaration.
 *
 *     const protect = { name: text({ required: true }), deploy_access_levels: list(level, { required: true }) };
 *     const { name } = readParameters(protect, parameters);
 */

/** Something declared: a field that yields a value, or a rule about several of them that only complains. */
interface Declared {
  /** What the rule asks of the object that holds the parameters, where a schema can say it. */
  readonly schema?: JsonSchema;
  check(parameters: Parameters, prefix: string, complaints: string[]): void;
}

/** A parameter that yields a `T`. */
export interface Field<T> {
  readonly yields?: T;
  /** What a client should send; more than that is read, as GitLab reads it. */
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** Reads it from under `name`; undefined if it is absent or wrong. */
  read(parameters: Parameters, name: string, prefix: string, complaints: string[]): T;
}

export type Declaration = Readonly<Record<string, Field<unknown> | Declared>>;

/** What a declaration yields: a value for each field; rules yield nothing. */
export type Values<D extends Declaration> = {
  readonly [K in keyof D as D[K] extends Field<unknown> ? K : never]: D[K] extends Field<infer T> ? T : never;
};

interface Options<T> {
  /** The only values that are allowed; null always is. */
  readonly values?: readonly (T extends readonly (infer E)[] ? E : T)[];
}

type Required = { readonly required: true };

/**
 * The declared parameters; what isn't declared is ignored.
 * @throws ParameterError with every complaint.
 */
export function readParameters<D extends Declaration>(declaration: D, parameters: Parameters): Values<D> {
  const complaints: string[] = [];
  const values = readInto(declaration, parameters, '', complaints);
  if (complaints.length > 0) throw new ParameterError(complaints.join(', '));
  return values;
}

/** The schema of an object with the declared parameters. Those that need not be sent may be null. */
export function schemaOf(declaration: Declaration): JsonSchema {
  const fields = Object.entries(declaration).flatMap(([name, declared]) =>
    'read' in declared ? [[name, declared] as const] : [],
  );
  const required = fields.flatMap(([name, field]) => (field.required ? [name] : []));
  const rules = Object.values(declaration).flatMap((declared) =>
    'read' in declared || !declared.schema ? [] : [declared.schema],
  );
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, field.required ? field.schema : orNull(field.schema)]),
    ),
    ...(required.length > 0 ? { required } : {}),
    ...(rules.length > 0 ? { allOf: rules } : {}),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}

function withValues(schema: JsonSchema, values: readonly unknown[] | undefined): JsonSchema {
  if (!values) return schema;
  const { items } = schema;
  return items === undefined
    ? { ...schema, enum: values }
    : { ...schema, items: { ...(items as object), enum: values } };
}

function readInto<D extends Declaration>(
  declaration: D,
  parameters: Parameters,
  prefix: string,
  complaints: string[],
): Values<D> {
  const values: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(declaration)) {
    if ('read' in declared) values[name] = declared.read(parameters, name, prefix, complaints);
    else declared.check(parameters, prefix, complaints);
  }
  return values as Values<D>;
}

/** A field whose value, if it was sent, is read by `parse`. */
function field<T>(
  schema: JsonSchema,
  required: boolean,
  parse: (raw: unknown, path: string, complaints: string[]) => T,
): Field<T | undefined> {
  return {
    schema,
    required,
    read(parameters, name, prefix, complaints) {
      const path = pathOf(prefix, name);
      const raw = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
      if (raw !== undefined) return parse(raw, path, complaints);
      if (required) complaints.push(`${path} is missing`);
      return undefined;
    },
  };
}

/** The makers of fields: each can be required, and can allow only some values. */
interface Maker<T> {
  (options: Options<T> & Required): Field<T | null>;
  (options?: Options<T>): Field<T | null | undefined>;
}

/** Converts one value; null for a value that is empty, undefined for one that is invalid. */
type Coercion<T> = (raw: unknown) => T | null | undefined;

function maker<T>(schema: JsonSchema, coerce: Coercion<T>): Maker<T> {
  const make = ({ required = false, values }: Options<T> & { readonly required?: boolean } = {}): Field<
    T | null | undefined
  > =>
    field(withValues(schema, values), required, (raw, path, complaints) => {
      const value = coerce(raw);
      if (value === undefined) complaints.push(`${path} is invalid`);
      if (!isAmong(values, value)) complaints.push(`${path} does not have a valid value`);
      return value;
    });
  return make as Maker<T>;
}

const toText: Coercion<string> = (raw) => {
  if (raw === null || typeof raw === 'string') return raw;
  return typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : undefined;
};

/** An empty text is null, as in a form. */
function blankAsNull<T>(coerce: (raw: unknown) => T | undefined): Coercion<T> {
  return (raw) => (raw === null || raw === '' ? null : coerce(raw));
}

/** Whole numbers; numeric texts and fractions are taken as GitLab takes them: `"40"` and `40.5` are 40. */
export const toInteger = blankAsNull((raw) => {
  const number = typeof raw === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(raw) ? Number(raw) : raw;
  const whole = typeof number === 'number' ? Math.trunc(number) : undefined;
  return Number.isSafeInteger(whole) ? whole : undefined;
});

const truths: readonly unknown[] = [true, 1, '1', 't', 'true', 'on', 'yes', 'y'];
const untruths: readonly unknown[] = [false, 0, '0', 'f', 'false', 'off', 'no', 'n'];

export const text = maker({ type: 'string' }, toText);
export const integer = maker({ type: 'integer' }, toInteger);
export const boolean = maker(
  { type: 'boolean' },
  blankAsNull((raw) => {
    const value = typeof raw === 'string' ? raw.toLowerCase() : raw;
    if (truths.includes(value)) return true;
    return untruths.includes(value) ? false : undefined;
  }),
);

/** A day as YYYY-MM-DD; of a moment the day that it falls on. */
export const date = maker(
  { type: 'string', format: 'date' },
  blankAsNull((raw) => {
    const [, day = '', rest = ''] = typeof raw === 'string' ? (/^(.{10})(.*)$/s.exec(raw.trim()) ?? []) : [];
    return isDate(day) && (rest === '' || /^[T ]/.test(rest)) ? day : undefined;
  }),
);

/** A moment in milliseconds since 1970. */
export const moment = maker(
  { type: 'string', format: 'date-time' },
  blankAsNull((raw) => {
    const time = typeof raw === 'string' ? Date.parse(raw) : Number.NaN;
    return Number.isNaN(time) ? undefined : time;
  }),
);

/** A list of texts, or one text with commas, or a single number. */
export const texts = maker({ type: 'array', items: { type: 'string' } }, (raw) => {
  if (raw === null) return null;
  const list = itemsOf(raw).map(toText);
  return list.every((item) => typeof item === 'string') ? list.filter((item) => item !== '') : undefined;
});

/** A list of whole numbers, or one text with commas. */
export const integers = maker(
  { type: 'array', items: { type: 'integer' } },
  blankAsNull((raw) => {
    const list = itemsOf(raw).map(toInteger);
    return list.every((item) => typeof item === 'number') ? list : undefined;
  }),
);

function itemsOf(raw: unknown): readonly unknown[] {
  if (typeof raw === 'string') return raw.split(',').map((item) => item.trim());
  return Array.isArray(raw) ? raw : [raw];
}

/** A text that must be one of a few, typed as such. */
export function choice<const V extends string>(values: readonly V[]): Field<V | null | undefined> {
  return text({ values }) as Field<V | null | undefined>;
}

/** A whole number that must be one of a few, typed as such. */
export function numberChoice<const V extends number>(values: readonly V[]): Field<V | null | undefined> {
  return integer({ values }) as Field<V | null | undefined>;
}

/** A list of objects with parameters of their own. Null is the empty list; an element that is no object makes the list invalid. */
export function list<D extends Declaration>(element: D, options: Required): Field<readonly Values<D>[]>;
export function list<D extends Declaration>(element: D): Field<readonly Values<D>[] | undefined>;
export function list<D extends Declaration>(
  element: D,
  { required = false }: { readonly required?: boolean } = {},
): Field<readonly Values<D>[] | undefined> {
  return field({ type: 'array', items: schemaOf(element) }, required, (raw, path, complaints) => {
    if (raw === null || raw === '') return [];
    if (Array.isArray(raw) && raw.every(isObject))
      return raw.map((item, index) => readInto(element, item, `${path}[${index}]`, complaints));
    complaints.push(`${path} is invalid`);
    return undefined;
  });
}

/** A rule that complains with the text that `complain` returns, if it returns one. `paths` names parameters as complaints do. */
export function rule(
  complain: (parameters: Parameters, paths: (...names: readonly string[]) => string) => string | undefined,
  schema?: JsonSchema,
): Declared {
  return {
    ...(schema && { schema }),
    check(parameters, prefix, complaints) {
      const paths = (...names: readonly string[]) => names.map((name) => pathOf(prefix, name)).join(', ');
      const complaint = complain(parameters, paths);
      if (complaint !== undefined) complaints.push(complaint);
    },
  };
}

/** At least one of these must be sent. */
export function atLeastOneOf(...names: readonly string[]): Declared {
  const text = 'are missing, at least one parameter must be provided';
  return rule((sent, paths) => (names.some((name) => isSent(sent, name)) ? undefined : `${paths(...names)} ${text}`), {
    anyOf: names.map((name) => ({ required: [name] })),
  });
}

/** At most one of these may be sent. */
export function mutuallyExclusive(...names: readonly string[]): Declared {
  return rule(
    (parameters, paths) => {
      const sent = names.filter((name) => isSent(parameters, name));
      return sent.length > 1 ? `${paths(...sent)} are mutually exclusive` : undefined;
    },
    { not: { required: names } },
  );
}

/** A parameter that may not be sent at all. */
export function refused(name: string, complaint: string): Declared {
  return rule((sent, paths) => (Object.hasOwn(sent, name) ? `${paths(name)} ${complaint}` : undefined));
}

/** Those of some parameters that were sent and are not null, for a change that leaves the rest as it is. */
export function given<V extends object>(values: V): { [K in keyof V]?: NonNullable<V[K]> } {
  const sent = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(sent) as { [K in keyof V]?: NonNullable<V[K]> };
}

function isSent(parameters: Parameters, name: string): boolean {
  return Object.hasOwn(parameters, name) && parameters[name] !== undefined && parameters[name] !== null;
}

function isAmong(allowed: readonly unknown[] | undefined, value: unknown): boolean {
  if (allowed === undefined || value === null) return true;
  return Array.isArray(value) ? value.every((item) => allowed.includes(item)) : allowed.includes(value);
}

function isObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pathOf(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}[${name}]`;
}
