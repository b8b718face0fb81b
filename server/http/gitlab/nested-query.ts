/** Parameters of a query or form: texts, lists and nested objects. */
export type NestedParameters = { [key: string]: NestedValue };
type NestedValue = string | NestedValue[] | NestedParameters;

const deepest = 16;

/**
 * Reads a query string or a form body with nested names as GitLab's servers do: `a[b]=1` is an object, `a[]=1` a list, and
 * `a[][b]=1&a[][c]=2&a[][b]=3` a list of objects where a name that repeats begins the next one. Names that contradict each other
 * are dropped.
 */
export function parseNested(pairs: Iterable<readonly [string, string]>): NestedParameters {
  const root: NestedParameters = emptyObject();
  for (const [name, value] of pairs) {
    const path = pathOf(name);
    if (path.length > 0 && path.length <= deepest) insert(root, path, value);
  }
  return root;
}

/** The names within `a[b][][c]`: a, b, the empty text for a list, c. */
function pathOf(name: string): string[] {
  const first = name.indexOf('[');
  if (first <= 0) return [name];
  const rest = name.slice(first);
  const inner = [...rest.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? '');
  return inner.length === 0 ? [name] : [name.slice(0, first), ...inner];
}

function insert(target: NestedParameters, path: readonly string[], value: string): void {
  const [key = '', next, ...rest] = path;
  if (next === undefined) {
    target[key] = value;
    return;
  }
  if (next === '') {
    const list = (target[key] ??= []);
    if (Array.isArray(list)) appendTo(list, rest, value);
    return;
  }
  const object = (target[key] ??= emptyObject());
  if (isObject(object)) insert(object, [next, ...rest], value);
}

function appendTo(list: NestedValue[], path: readonly string[], value: string): void {
  const [key] = path;
  if (key === undefined || key === '') {
    list.push(value);
    return;
  }
  const last = list.at(-1);
  if (last !== undefined && isObject(last) && !holds(last, path)) {
    insert(last, path, value);
    return;
  }
  const next = emptyObject();
  list.push(next);
  insert(next, path, value);
}

/** Whether an object of a list has a value at that path already, so that the next one begins. */
function holds(object: NestedParameters, path: readonly string[]): boolean {
  const [key = '', ...rest] = path;
  if (!Object.hasOwn(object, key)) return false;
  const value = object[key];
  if (rest.length === 0 || value === undefined) return true;
  return isObject(value) ? holds(value, rest) : !Array.isArray(value);
}

function isObject(value: NestedValue): value is NestedParameters {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Without a prototype, so that a parameter called `constructor` is a parameter and nothing else. */
function emptyObject(): NestedParameters {
  return Object.create(null) as NestedParameters;
}
