/** Every area of the console, found by its place. */
import type { Component } from 'vue'
import { loadTexts } from './i18n.js'
import type { ConsoleModule, ConsoleRoute, MenuEntry, Role } from './module.js'

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

/** A dialog that an area has for the shell, with its texts. */
export async function dialogOf(name: string): Promise<{ readonly default: Component }> {
  const owner = modules.find(({ dialogs }) => dialogs?.[name] !== undefined)
  if (owner === undefined) throw new Error(`no area has a dialog "${name}"`)
  const [loaded] = await Promise.all([owner.dialogs![name]!(), loadTexts(owner)])
  return loaded
}

/** Menu entries a role may see, in order. */
export function menuFor(
  role: Role,
  status: Readonly<Record<string, unknown>>,
): readonly MenuEntry[] {
  return modules
    .flatMap(({ menu = [] }) => menu)
    .filter((entry) => entry.role <= role && (entry.shown?.(status) ?? true))
    .sort((one, other) => one.order - other.order)
}
