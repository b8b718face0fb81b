import { Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import './tabbed.css';

interface PageTabsProps<T extends string> {
  /** Names the row of tabs for screen readers. */
  label: string;
  tabs: readonly T[];
  labels: Record<T, string>;
  panels: Record<T, ComponentType>;
  current: T;
  onChange: (tab: T) => void;
}

/** A page of tabs; only the chosen panel is drawn. */
export function PageTabs<T extends string>({ label, tabs, labels, panels, current, onChange }: PageTabsProps<T>) {
  return (
    <Tabs className="gh-tabbed" value={current} keepMounted={false} onChange={(value) => onChange(value as T)}>
      <Tabs.List aria-label={label}>
        {tabs.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {labels[each]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((each) => {
        const Panel: ComponentType = panels[each];
        return (
          <Tabs.Panel key={each} value={each} className="gh-tab-panel">
            <Panel />
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}
