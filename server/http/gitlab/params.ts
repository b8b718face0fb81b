import { ParameterError } from '../errors.ts';
import {
  type Coercion,
  toBoolean,
  toDate,
  toInteger,
  toIntegers,
  toMoment,
  toText,
  toTexts,
} from './parameter-types.ts';
import type { Parameters } from './request-parameters.ts';

/**
 * The parameter layer: what GitLab's framework does between routing and the endpoint, with its leniency and its words
 * (api/environments.md 2.1). All complaints about a request are reported together, in the order of the declaration.
 *
 *     const protect = { name: text({ required: true }), deploy_access_levels: list(level, { required: true }) };
 *     const { name } = readParameters(protect, parameters);
 */

/** Something declared: a field that yields a value, or a rule about several of them that only complains. */
interface Declared {
  check(parameters: Parameters, prefix: string, complaints: string[]): unknown;
}

/** A parameter that yields a `T`. */
export interface Field<T> {
  readonly yields?: T;
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

/** The makers of fields: each can be required, and can allow only some values. */
interface Maker<T> {
  (options: Options<T> & Required): Field<T | null>;
  (options?: Options<T>): Field<T | null | undefined>;
}

function maker<T>(coerce: Coercion<T>): Maker<T> {
  const make = (options: Options<T> & { readonly required?: boolean } = {}): Field<T | null | undefined> => ({
    read(parameters, name, prefix, complaints) {
      const path = pathOf(prefix, name);
      if (!Object.hasOwn(parameters, name) || parameters[name] === undefined) {
        if (options.required) complaints.push(`${path} is missing`);
        return undefined;
      }
      const value = coerce(parameters[name]);
      if (value === undefined) complaints.push(`${path} is invalid`);
      if (!isAmong(options.values, value)) complaints.push(`${path} does not have a valid value`);
      return value;
    },
  });
  return make as Maker<T>;
}

export const text = maker(toText);
export const integer = maker(toInteger);
export const boolean = maker(toBoolean);
export const date = maker(toDate);
export const moment = maker(toMoment);
export const texts = maker(toTexts);
export const integers = maker(toIntegers);

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
  options: { readonly required?: boolean } = {},
): Field<readonly Values<D>[] | undefined> {
  return {
    read(parameters, name, prefix, complaints) {
      const path = pathOf(prefix, name);
      const raw = parameters[name];
      if (!Object.hasOwn(parameters, name) || raw === undefined) {
        if (options.required) complaints.push(`${path} is missing`);
        return undefined;
      }
      if (raw === null || raw === '') return [];
      if (!Array.isArray(raw) || !raw.every(isObject)) {
        complaints.push(`${path} is invalid`);
        return undefined;
      }
      return raw.map((item, index) => readInto(element, item, `${path}[${index}]`, complaints));
    },
  };
}

/** At least one of these must be sent. */
export function atLeastOneOf(...names: readonly string[]): Declared {
  return {
    check(parameters, prefix, complaints) {
      if (names.some((name) => isSent(parameters, name))) return;
      complaints.push(`${pathsOf(prefix, names)} are missing, at least one parameter must be provided`);
    },
  };
}

/** At most one of these may be sent. */
export function mutuallyExclusive(...names: readonly string[]): Declared {
  return {
    check(parameters, prefix, complaints) {
      const sent = names.filter((name) => isSent(parameters, name));
      if (sent.length > 1) complaints.push(`${pathsOf(prefix, sent)} are mutually exclusive`);
    },
  };
}

/** A parameter that may not be sent at all. */
export function refused(name: string, complaint: string): Declared {
  return {
    check(parameters, prefix, complaints) {
      if (Object.hasOwn(parameters, name)) complaints.push(`${pathOf(prefix, name)} ${complaint}`);
    },
  };
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

function pathsOf(prefix: string, names: readonly string[]): string {
  return names.map((name) => pathOf(prefix, name)).join(', ');
}
