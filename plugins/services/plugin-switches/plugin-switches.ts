/** What others see of the switches: whether a plugin from outside is used, in every process and after every start. */

export interface PluginSwitches {
  /** Rejects with a `Refusal` that names the field: it comes with the gateway, or others depend on it. */
  set(id: string, isOn: boolean): Promise<void>
  /** Loads it again in every process. Rejects where what is there now cannot take its place in this one. */
  reload(id: string): Promise<void>
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'plugin-switches': PluginSwitches
  }
}
