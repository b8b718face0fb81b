import { TagsInput } from '@mantine/core';
import { useMemo } from 'react';
import { scopesOf, usePackages } from '../../api/packages.ts';

interface SelectorFieldProps {
  label: string;
  placeholder: string;
  /** What follows the name of a scope: nothing or `/*`; left out where only packages can be named. */
  scopeSuffix?: string;
  value?: string[];
  onChange: (selectors: string[]) => void;
  /** Whether something is typed that is not a selector yet; leaving the field makes it one. */
  onTyping?: (isTyping: boolean) => void;
}

/** Names of packages and scopes; those that are here are suggested. */
export function SelectorField({ scopeSuffix, placeholder, value = [], onTyping, ...props }: SelectorFieldProps) {
  const { data: packages } = usePackages();
  const suggestions = useMemo(() => {
    const list = packages ?? [];
    const scopes = scopeSuffix === undefined ? [] : scopesOf(list).filter((scope) => scope !== '');
    return [...new Set([...scopes.map((scope) => scope + scopeSuffix), ...list.map((pack) => pack.name)])];
  }, [packages, scopeSuffix]);
  return (
    <TagsInput
      {...props}
      className="gh-grow"
      placeholder={value.length === 0 ? placeholder : ''}
      data={suggestions}
      limit={40}
      maxDropdownHeight={260}
      onSearchChange={(text) => onTyping?.(text.trim() !== '')}
      value={value}
    />
  );
}
