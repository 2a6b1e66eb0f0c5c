/**
 * What an area of the console declares in its `module.ts`: its pages, where it stands in the menu, who sees it, its
 * texts. The shell finds every `modules/<area>/module.ts` by itself; adding an area touches no other file.
 */
import type { Component } from 'vue'

/** One text in every language of the console, for what is shown before an area's own texts are loaded. */
export interface Words {
  readonly en: string
  readonly zh: string
}

export type Locale = keyof Words

/** Roles of the family; 0: anyone, signed in or not. */
export type Role = 0 | 1 | 10 | 100

/**
 * `app`: menu and header. `site`: the header of public pages. `card`: a small form in the middle. `open`: `app` for those who
 * are signed in, `site` for others.
 */
export type Frame = 'app' | 'site' | 'card' | 'open'

export interface ConsoleRoute {
  readonly path: string
  /** Unique over all areas, as `tokens` or `tokens.edit`. */
  readonly name: string
  readonly title: Words
  readonly frame: Frame
  /** Least role. */
  readonly role: Role
  readonly page: () => Promise<{ readonly default: Component }>
  /** Addresses it had before; they lead here. */
  readonly formerly?: readonly string[]
  /** Only for those who are not signed in: others are sent home. */
  readonly guestsOnly?: boolean
}

export interface MenuEntry {
  readonly route: string
  readonly title: Words
  readonly icon: Component
  /**
   * Route of the entry whose line of the menu it shares: all of a line stand above their pages as tabs. Absent, or unknown: a line
   * of its own.
   */
  readonly under?: string
  /** What the line is called where others share it. */
  readonly called?: Words
  /** Section of the menu. */
  readonly section: 'use' | 'account' | 'operate' | 'system'
  /** Smaller stands higher. */
  readonly order: number
  readonly role: Role
  /** False hides it, as a feature that is switched off. */
  readonly shown?: (status: Readonly<Record<string, unknown>>) => boolean
}

/** Texts by key; they may nest. */
export interface Texts {
  readonly [key: string]: string | Texts
}

export interface ConsoleModule {
  /** Name of the folder; all keys of its texts begin with it. */
  readonly id: string
  readonly routes: readonly ConsoleRoute[]
  readonly menu?: readonly MenuEntry[]
  /** Dialogs the shell opens over any page, by name. */
  readonly dialogs?: Readonly<Record<string, () => Promise<{ readonly default: Component }>>>
  /** Titles of options by their keys in languages other than English, so that the palette finds them. */
  readonly optionTitles?: Readonly<
    Partial<Record<Locale, () => Promise<{ readonly default: Readonly<Record<string, string>> }>>>
  >
  readonly texts: Readonly<Record<Locale, () => Promise<{ readonly default: Texts }>>>
}

export function defineModule(module: ConsoleModule): ConsoleModule {
  return module
}
