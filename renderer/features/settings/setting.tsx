import type { ReactNode } from 'react';

interface SettingProps {
  title: string;
  textId?: string;
  text: ReactNode;
  children?: ReactNode;
}

/** One line of the settings: what it is about at the left, what can be chosen at the right. */
export function Setting({ title, textId, text, children }: SettingProps) {
  return (
    <section className="gh-setting">
      <div>
        <h2>{title}</h2>
        <p id={textId}>{text}</p>
      </div>
      {children}
    </section>
  );
}
