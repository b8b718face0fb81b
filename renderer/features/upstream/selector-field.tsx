import { TagsInput } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { scopesOf, usePackages } from '../../api/packages.ts';

interface SelectorFieldProps {
  label: string;
  placeholder: string;
  description?: string;
  /** Whether scopes can be named, not only packages. */
  withScopes?: boolean;
  /** Whether packages of other registries can be named, which the star does not include. */
  withCached?: boolean;
  /** Whether a dialog that opens gives it the focus. */
  isFirst?: boolean;
  error?: ReactNode;
  value?: readonly string[];
  onChange: (selectors: string[]) => void;
}

/** A selector as it is shown: a scope with the star that it means, anything else as it is. */
export function scopeSelector(selector: string): string {
  return /^@[^/]+\/?$/.test(selector) ? `${selector.replace('/', '')}/*` : selector;
}

/** Whether a scope or a package, with or without a version, is of those that are here. */
const isHere = (selector: string, names: readonly string[]): boolean =>
  selector.endsWith('/*') || names.includes(selector.replace(/(?<=.)@.*$/, ''));

/** Names of packages and scopes; those that are here are suggested. A scope is shown as `@acme/*`, however it was typed. */
export function SelectorField(props: SelectorFieldProps) {
  const {
    withScopes = false,
    withCached = false,
    isFirst = false,
    placeholder,
    value = [],
    onChange,
    ...field
  } = props;
  const { data: packages } = usePackages();
  const [opened, setOpened] = useState(false);
  const [search, setSearch] = useState('');
  const isAll = withScopes && value.includes('*');
  // Nothing is left to choose; a list would lie over the field beneath.
  const isComplete = isAll || (withScopes && search.trim() === '*');
  // How the field shows the star alone.
  const star = withCached ? '* (all published here)' : '* (all packages)';
  const suggestions = useMemo(() => {
    if (isComplete) return [];
    const list = packages ?? [];
    const scopes = withScopes ? scopesOf(list).filter((scope) => scope !== '') : [];
    const all = withScopes ? [star] : [];
    return [...new Set([...all, ...scopes.map(scopeSelector), ...list.map((pack) => pack.name)])];
  }, [packages, withScopes, isComplete, star]);
  const shown = withScopes ? value.map((each) => (each === '*' ? star : scopeSelector(each))) : [...value];
  return (
    <TagsInput
      {...field}
      className="gh-grow"
      data-autofocus={isFirst || undefined}
      placeholder={value.length === 0 ? placeholder : ''}
      data={suggestions}
      limit={40}
      maxDropdownHeight={260}
      dropdownOpened={opened && !isComplete}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      // The kit opens the list when the field gets the focus, not at a press into it later.
      onClick={() => setOpened(true)}
      // The kit opens the list on focus or by a key, but not for what is typed.
      onSearchChange={(text) => {
        setSearch(text);
        if (text !== '') setOpened(true);
      }}
      value={shown}
      onChange={(typed) => {
        // The next letter opens it again; until then, it would lie over what is clicked next.
        setOpened(false);
        if (!withScopes) return onChange(typed);
        const chosen = [...new Set(typed.map((each) => (each === star ? '*' : scopeSelector(each))))];
        if (!chosen.includes('*')) return onChange(chosen);
        const names = (packages ?? []).map((pack) => pack.name);
        return onChange(['*', ...(withCached ? chosen.filter((each) => each !== '*' && !isHere(each, names)) : [])]);
      }}
    />
  );
}
