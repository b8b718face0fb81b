import { TagsInput } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { scopesOf, usePackages } from '../../api/packages.ts';

interface SelectorFieldProps {
  label: string;
  placeholder: string;
  description?: string;
  /** Whether scopes can be named, not only packages. */
  withScopes?: boolean;
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

/** How the field shows the star alone. */
const allPackages = '* (all packages)';
const shownAs = (selector: string): string => (selector === '*' ? allPackages : scopeSelector(selector));
const chosenAs = (shown: string): string => (shown === allPackages ? '*' : scopeSelector(shown));

/** Names of packages and scopes; those that are here are suggested. A scope is shown as `@acme/*`, however it was typed. */
export function SelectorField(props: SelectorFieldProps) {
  const { withScopes = false, isFirst = false, placeholder, value = [], onChange, ...field } = props;
  const { data: packages } = usePackages();
  const [opened, setOpened] = useState(false);
  const suggestions = useMemo(() => {
    const list = packages ?? [];
    const scopes = withScopes ? scopesOf(list).filter((scope) => scope !== '') : [];
    const all = withScopes ? [allPackages] : [];
    return [...new Set([...all, ...scopes.map(scopeSelector), ...list.map((pack) => pack.name)])];
  }, [packages, withScopes]);
  const shown = withScopes ? value.map(shownAs) : [...value];
  return (
    <TagsInput
      {...field}
      className="gh-grow"
      data-autofocus={isFirst || undefined}
      placeholder={value.length === 0 ? placeholder : ''}
      data={suggestions}
      limit={40}
      maxDropdownHeight={260}
      dropdownOpened={opened}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      // The kit opens the list on focus or by a key, but not for what is typed.
      onSearchChange={(text) => text !== '' && setOpened(true)}
      value={shown}
      onChange={(typed) => onChange(withScopes ? [...new Set(typed.map(chosenAs))] : typed)}
    />
  );
}
