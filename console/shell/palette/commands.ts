/** What the palette offers: every page of the menu, and the few things done from anywhere. */
import { LogOut, SunMoon } from '@lucide/vue'
import type { Component } from 'vue'
import type { Router } from 'vue-router'
import { inWords } from '../i18n.js'
import type { MenuEntry, Role } from '../module.js'
import { linesFor, type MenuLine, subPagesFor } from '../modules.js'
import { useSession } from '../session.js'
import { chooseTheme, isDark } from '../theme.js'

export interface Command {
  readonly key: string
  readonly title: string
  /** More words it is found by: the name in the other languages. */
  readonly also: string
  readonly section: string
  readonly icon: Component
  readonly run: (router: Router) => unknown
}

type Translate = (key: string) => string

export function commandsFor(
  role: Role,
  status: Readonly<Record<string, unknown>>,
  t: Translate,
): readonly Command[] {
  const lines = linesFor(role, status)
  return [
    ...lines.flatMap((line) => line.pages.map((entry) => goTo(entry, placeOf(line, t)))),
    ...subPagesFor(role, status).map(([entry, page]) =>
      goTo({ ...entry, route: page.name, title: page.title }, inWords(entry.title)),
    ),
    theme(t),
    leave(t),
  ]
}

/** Where it is found in the menu. */
function placeOf({ section, title, pages }: MenuLine, t: Translate): string {
  return pages.length > 1 ? inWords(title) : t(`shell.sections.${section}`)
}

function goTo(
  { route, title, icon }: Pick<MenuEntry, 'route' | 'title' | 'icon'>,
  section: string,
): Command {
  return {
    key: route,
    title: inWords(title),
    also: `${title.en} ${title.zh} ${route}`,
    section,
    icon,
    run: (router) => router.push({ name: route }),
  }
}

function theme(t: Translate): Command {
  return {
    key: 'theme',
    title: t('shell.switchTheme'),
    also: 'dark light theme',
    section: '',
    icon: SunMoon,
    run: () => chooseTheme(isDark.value ? 'light' : 'dark'),
  }
}

function leave(t: Translate): Command {
  return {
    key: 'leave',
    title: t('shell.signOut'),
    also: 'logout sign out',
    section: '',
    icon: LogOut,
    async run(router) {
      await useSession().leave()
      await router.push('/login')
    },
  }
}

/** Every typed word stands somewhere in the name; those whose name begins so come first. */
export function matching(typed: string, commands: readonly Command[]): readonly Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const text = ({ title, also }: Command) => `${title} ${also}`.toLowerCase()
  const found = commands.filter((command) => words.every((word) => text(command).includes(word)))
  const begins = ({ title }: Command) => title.toLowerCase().startsWith(words[0] ?? '')
  return [...found.filter(begins), ...found.filter((command) => !begins(command))]
}
