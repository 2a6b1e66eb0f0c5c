/** This process, and what its environment set. */

export interface System {
  /** As `v1.0.5-preview.4` (OPS-1). */
  readonly version: string
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly nodeName: string
  readonly environment: Environment
  /** False once the gateway is stopping. */
  accepting(): boolean
  /** Lines of the log that were dropped since the process began, since nobody read them in time. */
  droppedLogLines(): number
}

/** What the environment set, typed and checked; `config/environment.ts` alone reads it. */
export interface Environment {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  /** Plugins that do not come with the gateway. Absent: none. */
  readonly plugins?: PluginSources
  readonly databaseUrl?: string
  readonly cryptoSecret?: string
  /** The master key before this one, while what it sealed is sealed anew. */
  readonly cryptoSecretPrevious?: string
  readonly trustedProxies: readonly string[]
  /** TLS of the gateway's own. Absent: it speaks plain HTTP, as behind a proxy. */
  readonly tls?: TlsFiles
  readonly cookieSecure?: boolean
  /** What browsers are to hold to HTTPS. Absent: this host. */
  readonly hsts?: 'host' | 'subdomains' | 'preload'
  /** Absent: an option decides, which is set during setup. */
  readonly allowPrivateUpstreams?: boolean
  readonly maxRequestBodyBytes: number
  /** Bytes of bodies the process holds at once. Absent: by the memory there is. */
  readonly bytesInFlightMax?: number
  /** Where large forms are while they arrive, and their bytes together. Absent: in memory. */
  readonly uploadSpool?: { readonly folder: string; readonly bytesMax: number }
  /** Requests in work at once. Absent: as many as come. */
  readonly concurrency?: {
    /** 0, as of the others: no bound. */
    readonly perAddress: number
    readonly perUser: number
    readonly perKey: number
  }
  /** Longest time within an upstream's answer without content, milliseconds. Blanks and comments are none. */
  readonly streamingTimeoutMs: number
  /** Longest wait for an upstream's whole answer, milliseconds; 0: no limit. */
  readonly relayTimeoutMs: number
  readonly nodeName: string
  /** Shared counters of rate limits. Absent: each process counts for itself. */
  readonly redisUrl?: string
  readonly rateLimits: RateLimitOptions
  /** Where metrics are served, on a port of their own. Absent: nowhere. */
  readonly metrics?: { readonly host: string; readonly port: number }
}

/** Where plugins from outside are named, and looked for. */
export interface PluginSources {
  /** Names of npm packages, or folders: those begin with `.` or are whole paths. */
  readonly names: readonly string[]
  /** Whole path of a file that names more of them, one in a line; `#` begins a comment. Folders are relative to its own. */
  readonly file?: string
  /** Whole paths of the folders that packages are looked for from, in order; folders are relative to the first. */
  readonly from: readonly string[]
  /** Ids of those that run in a thread of their own. Absent: none. */
  readonly isolated?: 'all' | readonly string[]
}

/** Whole paths of PEM files. */
export interface TlsFiles {
  /** The certificate, and those between it and its authority behind it. */
  readonly certFile: string
  readonly keyFile: string
}

/** Limits of requests by address, account and user, from the environment. Windows in seconds. */
export interface RateLimitOptions {
  readonly api: RateLimit
  readonly web: RateLimit
  readonly critical: RateLimit
  readonly criticalRoute: RateLimit
  readonly criticalSecrets: RateLimit
  readonly login: RateLimit
  /** API keys nobody has, by address. Absent: not limited. */
  readonly wrongKeys?: RateLimit
}

export interface RateLimit {
  readonly enabled: boolean
  readonly limit: number
  readonly windowSeconds: number
}
