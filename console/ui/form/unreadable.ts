/** What is typed into a form and cannot be read yet, by control: nothing is saved over it, and leaving needs a confirmation. */
import type { InjectionKey } from 'vue'

export const unreadableKey: InjectionKey<Set<string>> = Symbol('unreadable')
