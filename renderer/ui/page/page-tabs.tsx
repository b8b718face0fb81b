import { Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import './tabbed.css';

interface PageTabsProps<T extends string> {
  /** Names the row of tabs for screen readers. */
  label: string;
  tabs: readonly T[];
  labels: Record<T, string>;
  /** What stands behind a label. */
  marks?: Readonly<Record<string, ComponentType>>;
  panels: Record<T, ComponentType>;
  current: T;
  onChange: (tab: T) => void;
}

/** A page of tabs; only the chosen panel is drawn. */
export function PageTabs<T extends string>(props: PageTabsProps<T>) {
  const { label, tabs, labels, marks = {}, panels, current, onChange } = props;
  return (
    <Tabs className="gh-tabbed" value={current} keepMounted={false} onChange={(value) => onChange(value as T)}>
      <Tabs.List aria-label={label}>
        {tabs.map((each) => {
          const Mark = marks[each];
          return (
            <Tabs.Tab key={each} value={each}>
              {labels[each]}
              {Mark === undefined ? null : (
                <span className="gh-tab-count">
                  <Mark />
                </span>
              )}
            </Tabs.Tab>
          );
        })}
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
