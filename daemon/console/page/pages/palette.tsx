/** The palette: finds handles, spaces, wires and pages as the acting handle, and opens the chosen one. */
import type { ApiKey } from "@wireroom/sdk";
import { useEffect, useId, useLayoutEffect, useState } from "preact/hooks";
import { handles, operating } from "../app/acting.js";
import { agent, dashboard } from "../app/clients.js";
import { pause } from "../app/following.js";
import { navigate } from "../app/router.js";
import { HANDLE_TABS, OF_HANDLE, OF_HUMAN } from "../app/sections.js";
import { signOut } from "../app/session.js";
import { THEMES, type Theme, theme } from "../app/theme.js";
import { Address, HandleName } from "../parts/address.js";
import { visible } from "../parts/agent-text.js";
import { Dialog } from "../parts/dialog.js";
import { useTargets } from "../parts/editor/targets.js";
import { Loading } from "../parts/load.js";
import { Problem } from "../parts/problem.js";
import { showProblem } from "../parts/toast.js";
import { snippetOf } from "./approvals/store.js";
import { MESSAGES, searchIn } from "./read/places.js";

/** Delay between the last key press and the search. */
const PAUSE_MS = 200;
const MOST_NAMES = 20;
const KEY_PREFIX = "wr_";
/** Maximum number of handles, of spaces and of wires that a search finds. */
const MOST_FOUND = 5;
/** The name of a space and words to search for in it, such as `#ops disk`. */
const IN_SPACE = /^#([a-z0-9-]{3,32}) (.*)$/;
const LABEL = "Handle, space, message or page";

interface Option {
  /** An address below `/console`, or the name of a space to search, such as `#ops`. */
  to: string;
  name: string;
  about?: string;
  kind: string;
  /** What the option does, if it leads nowhere. */
  run?: () => unknown;
}

export function Palette({ as, onClose }: { as: string; onClose: () => void }) {
  const id = useId();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const [{ found, error }, setState] = useState<{ found?: readonly Option[]; error?: unknown }>({});
  const [, space, rest = text] = IN_SPACE.exec(text) ?? [];
  const words = rest.trim();
  const targets = useTargets(as).map((name) => targetOf(name, as));
  const slugs = new Set([as, ...handles.value!.map(({ slug }) => slug)]);
  const isKey = space === undefined && words.startsWith(KEY_PREFIX);
  // The daemon's answer comes last, so that no option moves when it arrives.
  const options = [
    ...(space === undefined
      ? matching([...pagesOf(as), ...targets, ...[...slugs].flatMap(settingsOf), ...ACTIONS], words)
      : [spaceOf(space, as)]),
    // A search would put the key into the address and the history of the browser.
    ...(words === "" || isKey ? [] : [searchOf(as, space, words)]),
  ];
  options.push(...(found ?? []).filter(({ to }) => options.every((other) => other.to !== to)));

  useEffect(() => {
    setState({});
    if (words === "") return;
    const abort = new AbortController();
    const { signal } = abort;
    const search = async () => {
      await pause(PAUSE_MS, signal);
      if (signal.aborted) return;
      setState({ found: await (isKey ? keysOf(words, signal) : find(as, space, words, signal)) });
    };
    search().catch((error) => signal.aborted || setState({ error }));
    return () => abort.abort();
  }, [as, space, words, isKey]);

  useLayoutEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);

  const type = (next: string) => {
    setText(next);
    setActive(0);
  };
  const choose = async ({ to, run }: Option) => {
    if (to.startsWith("#")) return type(`${to} `);
    onClose();
    if (!run) return navigate(to);
    try {
      await run();
    } catch (error) {
      showProblem(error);
    }
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setActive((active + 1) % (options.length || 1)),
    ArrowUp: () => setActive((active + options.length - 1) % (options.length || 1)),
    Enter: () => options[active] && choose(options[active]),
  };
  return (
    <Dialog title="Look up" onClose={onClose}>
      <input
        role="combobox"
        aria-label={LABEL}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={`${id}-${active}`}
        placeholder={LABEL}
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={(event) => {
          const act = event.isComposing ? undefined : keys[event.key];
          if (!act) return;
          event.preventDefault();
          act();
        }}
      />
      {/* The input keeps the focus. */}
      <div
        id={id}
        class="list"
        role="listbox"
        aria-label="Results"
        onMouseDown={(event) => event.preventDefault()}
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input takes the keys
          <div
            key={`${option.to} ${option.name}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => choose(option)}
          >
            <div class="row">
              {option.name.startsWith("@") ? (
                <HandleName slug={option.name.slice(1)} as={as} />
              ) : (
                <Address address={option.name} />
              )}
              <span class="end quiet">{option.kind}</span>
            </div>
            {option.about && (
              <span class="snippet" dir="auto">
                {option.about}
              </span>
            )}
          </div>
        ))}
      </div>
      {options.length === 0 && found && <p>None of your keys begins like this.</p>}
      {error !== undefined && <Problem error={error} />}
      {words !== "" && !found && error === undefined && <Loading />}
    </Dialog>
  );
}

const page = (to: string, name: string): Option => ({ to, name, kind: "Page" });

const action = (name: string, run: () => unknown): Option => ({ to: "", name, kind: "Action", run });
const ACTIONS = [
  ...(Object.keys(THEMES) as Theme[]).map((name) =>
    action(`Theme: ${THEMES[name]}`, () => {
      theme.value = name;
    }),
  ),
  action("Sign out of this browser", signOut),
];

function pagesOf(as: string): Option[] {
  const ofHandle = { ...OF_HANDLE, "new-wire": "New wire", "new-space": "Create a space" };
  const ofHuman = {
    ...OF_HUMAN,
    "new-handle": "Create a handle",
    ...(operating.value && { operator: "Operator" }),
  };
  return [
    ...Object.entries(ofHandle).map(([path, name]) => page(`/${path}?as=${as}`, name)),
    page("/", "Overview"),
    ...Object.entries(ofHuman).map(([path, name]) => page(`/${path}`, name)),
  ];
}

function settingsOf(slug: string): Option[] {
  return Object.entries(HANDLE_TABS).map(([tab, name]) =>
    page(`/handles/${slug}${tab === "profile" ? "" : `/${tab}`}`, `${name} of @${slug}`),
  );
}

/** @param name the name of a handle or of a space */
function targetOf(name: string, as: string, about?: string | null): Option {
  const shown = { name, ...(about && { about: visible(about) }) };
  const slug = name.slice(1);
  if (name.startsWith("#")) return { ...shown, to: name, kind: "Space" };
  if (handles.value?.some((handle) => handle.slug === slug))
    return { ...shown, to: `/inbox?as=${slug}`, kind: "Act as it" };
  return { ...shown, to: `/new-wire?as=${as}&to=${name}`, kind: "Write to it" };
}

function spaceOf(slug: string, as: string): Option {
  return { to: `/spaces/${slug}?as=${as}`, name: `#${slug}`, kind: "Open, or type words to search it" };
}

function searchOf(as: string, space: string | undefined, words: string): Option {
  const query = new URLSearchParams({ as, q: words, ...(space !== undefined && { space }) });
  return {
    to: `/search?${query}`,
    name: `Search for “${words}”`,
    kind: space === undefined ? "Everywhere" : `#${space}`,
  };
}

function matching(options: readonly Option[], words: string): readonly Option[] {
  const parts = words.toLowerCase().split(/\s+/);
  const isMatch = ({ name }: Option) => parts.every((part) => name.toLowerCase().includes(part));
  return options.filter(isMatch).slice(0, MOST_NAMES);
}

/** Finds the handle of an API key of the human, for example of one that has leaked. */
async function keysOf(words: string, signal: AbortSignal): Promise<Option[]> {
  const keys = await Array.fromAsync(dashboard.keys.list({ limit: 1_000 }, { signal }));
  const isMatch = ({ prefix }: ApiKey) => words.startsWith(prefix) || prefix.startsWith(words);
  const found = handles.value!.flatMap(({ id, slug }) =>
    keys
      .filter((key) => key.handle_id === id && isMatch(key))
      .map(({ prefix }) => page(`/handles/${slug}/keys`, `Key ${prefix}… of @${slug}`)),
  );
  return found.slice(0, MOST_NAMES);
}

/** Searches the wires of a space, or else handles, public spaces and direct messages. */
async function find(
  as: string,
  space: string | undefined,
  words: string,
  signal: AbortSignal,
): Promise<Option[]> {
  const q = words.replace(/^[@#]/, "");
  const search = (type: "handles" | "spaces") =>
    space === undefined ? agent(as).switchboard.search({ type, q, limit: MOST_FOUND }, { signal }) : [];
  const [known, spaces, wires] = await Promise.all([
    search("handles"),
    search("spaces"),
    searchIn(as, space ?? MESSAGES, q, MOST_FOUND, signal),
  ]);
  return [
    ...[...known, ...spaces].flatMap((each) =>
      each.type === "handle"
        ? targetOf(`@${each.slug}`, as, each.display_name)
        : each.type === "space"
          ? targetOf(`#${each.slug}`, as, each.description)
          : [],
    ),
    ...wires.items.map((wire) => ({
      to: `/wires/${wire.id}?as=${as}`,
      name: `@${wire.sender}`,
      about: snippetOf({ wire }),
      kind:
        wire.space !== null
          ? `#${wire.space}`
          : wire.sender === as
            ? `Message to @${wire.recipient}`
            : "Message",
    })),
  ];
}
