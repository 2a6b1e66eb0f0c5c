/** Every area of the console, found by its place. */
import type { Component } from 'vue'
import { loadTexts } from './i18n.js'
import type { ConsoleModule, ConsoleRoute, Locale, MenuEntry, Role, Words } from './module.js'

const found = import.meta.glob<{ default: ConsoleModule }>('../modules/*/module.ts', {
  eager: true,
})

const modules: readonly ConsoleModule[] = Object.values(found).map((file) => file.default)

export interface OwnedRoute extends ConsoleRoute {
  readonly owner: ConsoleModule
}

export const consoleRoutes: readonly OwnedRoute[] = modules.flatMap((owner) =>
  owner.routes.map((route) => ({ ...route, owner })),
)

const allEntries: readonly MenuEntry[] = modules.flatMap(({ menu = [] }) => menu)

/** A dialog that an area has for the shell, with its texts. */
export async function dialogOf(name: string): Promise<{ readonly default: Component }> {
  const owner = modules.find(({ dialogs }) => dialogs?.[name] !== undefined)
  if (owner === undefined) throw new Error(`no area has a dialog "${name}"`)
  const [loaded] = await Promise.all([owner.dialogs![name]!(), loadTexts(owner)])
  return loaded
}

/** Titles of options in this language by their keys; those it lacks keep their English ones. */
export async function optionTitles(locale: Locale): Promise<Readonly<Record<string, string>>> {
  const loads = modules.flatMap(({ optionTitles }) => optionTitles?.[locale] ?? [])
  const loaded = await Promise.all(loads.map((load) => load()))
  return Object.assign({}, ...loaded.map((titles) => titles.default))
}

/** Menu entries a role may see, in order. */
export function menuFor(
  role: Role,
  status: Readonly<Record<string, unknown>>,
): readonly MenuEntry[] {
  return allEntries
    .filter((entry) => entry.role <= role && (entry.shown?.(status) ?? true))
    .sort((one, other) => one.order - other.order)
}

/** One line of the menu, and the pages that share it. */
export interface MenuLine extends Pick<MenuEntry, 'icon' | 'section' | 'order'> {
  readonly title: Words
  /** The one that leads goes first. */
  readonly pages: readonly MenuEntry[]
}

/** Lines a role may see, in order. An entry whose line nobody declares has one of its own. */
export function linesFor(
  role: Role,
  status: Readonly<Record<string, unknown>>,
): readonly MenuLine[] {
  const lines = new Map<MenuEntry, MenuEntry[]>()
  for (const entry of menuFor(role, status)) {
    const leader = leaderOf(entry)
    const line = lines.get(leader)
    if (line === undefined) lines.set(leader, [entry])
    else if (entry === leader) line.unshift(entry)
    else line.push(entry)
  }
  return [...lines].map(lineOf).sort((one, other) => one.order - other.order)
}

function lineOf([leader, pages]: readonly [MenuEntry, readonly MenuEntry[]]): MenuLine {
  const { icon, section, order, title, called = title } = leader
  const [first] = pages
  return { icon, section, order, title: pages.length === 1 && first ? first.title : called, pages }
}

/** Lines are one deep: who shares one leads none. */
function leaderOf(entry: MenuEntry): MenuEntry {
  const leader = allEntries.find(({ route }) => route === entry.under)
  return leader === undefined || leader.under !== undefined ? entry : leader
}

/** The entry a page belongs to, as `channels` for `channels.edit`; the closest of several. */
export function entryOf(route: string, pages: readonly MenuEntry[]): MenuEntry | undefined {
  return pages
    .filter((entry) => route === entry.route || route.startsWith(`${entry.route}.`))
    .sort((one, other) => other.route.length - one.route.length)[0]
}

/** Pages without parameters that an entry leads to by itself, as `orders.receipts`, each with its entry. */
export function subPagesFor(
  role: Role,
  status: Readonly<Record<string, unknown>>,
): readonly (readonly [MenuEntry, ConsoleRoute])[] {
  const entries = menuFor(role, status)
  return consoleRoutes.flatMap((page) => {
    const entry = entryOf(page.name, entries)
    const isOther = entry !== undefined && entry.route !== page.name
    return isOther && page.role <= role && !page.path.includes(':') ? [[entry, page] as const] : []
  })
}
