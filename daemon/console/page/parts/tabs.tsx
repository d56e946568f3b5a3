interface TabsProps<Name extends string> {
  label: string;
  tabs: Partial<Record<Name, string>>;
  current: Name;
  hrefOf: (name: Name) => string;
}

/** @param tabs the names of the tabs with their titles */
export function Tabs<Name extends string>({ label, tabs, current, hrefOf }: TabsProps<Name>) {
  return (
    <nav class="tabs" aria-label={label}>
      {(Object.keys(tabs) as Name[]).map((name) => (
        <a key={name} href={hrefOf(name)} aria-current={name === current ? "page" : undefined}>
          {tabs[name]}
        </a>
      ))}
    </nav>
  );
}
