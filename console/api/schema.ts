/** Types of the management API. Made by `npm run generate:api`; not to be edited. */
export interface components {
    schemas: {
        /** @description What a management path returns. Some paths have fields beside `data`. */
        readonly Answer: {
            /** @constant */
            readonly success: true;
            readonly message: string;
            /** @description What was asked for; null where there is nothing to tell. */
            readonly data: unknown;
        };
        /** @description What a management path answers instead, beside the honest status. */
        readonly Refusal: {
            /** @constant */
            readonly success: false;
            /** @description One sentence for the reader. */
            readonly message: string;
            /** @description One word for scripts. Only probes of health leave it out. */
            readonly code?: string;
            readonly data: null;
            /** @description The field at fault, where one is. */
            readonly field?: string;
            /** @description With 429: the same in the words of a relay path. */
            readonly error?: Record<string, never>;
        };
        /** @description Free-form: what clients of the chat format send to this path. */
        readonly "chat-body": Record<string, never>;
        /** @description A refusal in the shape of the chat format. */
        readonly "chat-error": Record<string, never>;
        /** @description Free-form: what clients of the messages format send to this path. */
        readonly "messages-body": Record<string, never>;
        /** @description A refusal in the shape of the messages format. */
        readonly "messages-error": Record<string, never>;
        /** @description Free-form: what clients of the generative format send to this path. */
        readonly "generative-body": Record<string, never>;
        /** @description A refusal in the shape of the generative format. */
        readonly "generative-error": Record<string, never>;
        /** @description Free-form: what clients of the responses format send to this path. */
        readonly "responses-body": Record<string, never>;
        /** @description A refusal in the shape of the responses format. */
        readonly "responses-error": Record<string, never>;
        readonly AccessToken: {
            readonly id: number;
            /** @example backup script */
            readonly name: string;
            readonly scopes: readonly ("all" | "read" | "account:read" | "account:write" | "tokens:read" | "tokens:write" | "channels:read" | "channels:write" | "models:read" | "models:write" | "users:read" | "users:write" | "money:read" | "money:write" | "logs:read" | "logs:write" | "options:read" | "options:write" | "system:read" | "system:write")[];
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. */
            readonly expires_at: number;
            /** @description Unix seconds. 0: never. */
            readonly last_used_at: number;
            /** @description Empty: never used, or not known. */
            readonly last_used_address: string;
            readonly expired: boolean;
        };
        readonly AffinityRule: {
            readonly rule: string;
            /** @description Ties alive now. */
            readonly entries: number;
            /** @description Matched requests with a remembered channel. */
            readonly hits: number;
            /** @description Matched requests without one. */
            readonly misses: number;
            /** @description Sum over the responses of matched requests. */
            readonly cached_tokens: number;
        };
        readonly AffinityStats: {
            readonly entries: number;
            readonly rules: readonly components["schemas"]["AffinityRule"][];
        };
        readonly AuditEntry: {
            readonly id: number;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description 0: nobody. */
            readonly actor_id: number;
            readonly actor_name: string;
            /** @description 0: none. 1: user. 10: admin. 100: root. */
            readonly actor_role: number;
            /** @enum {string} */
            readonly via: "session" | "accessToken" | "none";
            readonly ip: string;
            /** @example tokens.create */
            readonly action: string;
            /** @example user 7 */
            readonly object: string;
            readonly detail: string;
            /**
             * Format: hex
             * @description Of what it was before. Empty: unknown.
             */
            readonly before_hash: string;
            /**
             * Format: hex
             * @description Of what it was afterwards. Empty: unknown.
             */
            readonly after_hash: string;
            readonly request_id: string;
            /**
             * Format: hex
             * @description Of this entry and of the one before it.
             */
            readonly hash: string;
        };
        readonly AuditVerdict: {
            /** @example 2026-01-31 */
            readonly day: string;
            /** @description Entries that hold. */
            readonly rows: number;
            /** @description Hashes of the day that were kept outside the database and compared. */
            readonly heads: number;
            /**
             * Format: hex
             * @description Hash of the last entry that holds. Empty: there is none.
             */
            readonly head: string;
            readonly intact: boolean;
            /** @description The first entry that does not hold. Absent: all of them do. */
            readonly broken?: {
                readonly id: number;
                /** @enum {string} */
                readonly fault: "link" | "content" | "missing";
            };
        };
        readonly AutoRoute: {
            /** @example auto */
            readonly key: string;
            readonly display_name: string;
            /** @description In the order they are tried. */
            readonly groups: readonly string[];
            /** @description Groups of users that may select it. Empty: everybody. */
            readonly user_groups: readonly string[];
            readonly enabled: boolean;
            /** @description Serves those without a group. */
            readonly is_default: boolean;
            /** @description Smaller ones are listed first. */
            readonly sort_order: number;
            /** @description How many API keys name it. */
            readonly tokens: number;
            /** @description Unix seconds. */
            readonly created_time: number;
            /** @description Unix seconds. */
            readonly updated_time: number;
        };
        readonly Breaker: {
            readonly channel_id: number;
            /** @description Empty: the channel is gone. */
            readonly channel_name: string;
            readonly key_id: number;
            /** @description Empty: every model of the key. */
            readonly model: string;
            /** @enum {string} */
            readonly state: "open" | "half-open" | "parked";
            /** @description Failures among the outcomes. */
            readonly failures: number;
            /** @description Outcomes remembered. */
            readonly outcomes: number;
            /** @description Unix seconds from which the next attempt is let through. */
            readonly retry_at: number;
            /** @description The last failure. */
            readonly reason: string;
        };
        readonly ChannelHealth: {
            readonly channel_id: number;
            /** @description Milliseconds to the first content of the last responses, oldest first. */
            readonly latencies: readonly number[];
            readonly open: number;
            readonly half_open: number;
            readonly parked: number;
            /** @description Unix seconds from which the first of them is tried again. 0: none is open. */
            readonly retry_at: number;
            /** @description Why that one is open. */
            readonly reason: string;
        };
        readonly CreatedAccessToken: {
            readonly id: number;
            /** @example backup script */
            readonly name: string;
            readonly scopes: readonly ("all" | "read" | "account:read" | "account:write" | "tokens:read" | "tokens:write" | "channels:read" | "channels:write" | "models:read" | "models:write" | "users:read" | "users:write" | "money:read" | "money:write" | "logs:read" | "logs:write" | "options:read" | "options:write" | "system:read" | "system:write")[];
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. */
            readonly expires_at: number;
            /** @description Unix seconds. 0: never. */
            readonly last_used_at: number;
            /** @description Empty: never used, or not known. */
            readonly last_used_address: string;
            readonly expired: boolean;
            /** @description Shown this once. */
            readonly token: string;
        };
        readonly SecurityEvent: {
            readonly id: number;
            /** @example password_changed */
            readonly kind: string;
            /** @description Unix seconds. */
            readonly at: number;
            /** @description Address it was done from; of a counted kind, the last one. */
            readonly address: string;
            /** @description A number where several of a kind are counted; otherwise empty. */
            readonly detail: string;
        };
        readonly Self: {
            readonly id: number;
            /** @example ada */
            readonly username: string;
            readonly display_name: string;
            readonly email: string;
            readonly email_verified: boolean;
            /**
             * @description 1: user. 10: admin. 100: root.
             * @enum {number}
             */
            readonly role: 1 | 10 | 100;
            /**
             * @description 1: enabled. 2: disabled.
             * @enum {number}
             */
            readonly status: 1 | 2;
            /** @example default */
            readonly group: string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly quota: number | string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly held: number | string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly used_quota: number | string;
            readonly request_count: number;
            /** @description The code of their invitations. */
            readonly aff_code: string;
            /** @description People they invited. */
            readonly aff_count: number;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly aff_quota: number | string;
            /** @description Quota units: a number while it is exact as one, otherwise its digits. */
            readonly aff_history_quota: number | string;
            /** @description 0: nobody invited them. */
            readonly inviter_id: number;
            /** @description Empty: not bound. */
            readonly github_id: string;
            /** @description Empty: not bound. */
            readonly discord_id: string;
            /** @description Empty: not bound. */
            readonly oidc_id: string;
            /** @description Empty: not bound. */
            readonly wechat_id: string;
            /** @description Empty: not bound. */
            readonly telegram_id: string;
            /** @description Empty: not bound. */
            readonly linux_do_id: string;
            /** @description JSON text of their settings. Secrets stand empty in it. */
            readonly setting: string;
            /** @description Unix seconds. */
            readonly created_at: number;
            /** @description Unix seconds. 0: never. */
            readonly last_login_at: number;
            readonly permissions: {
                readonly sidebar_settings: boolean;
                /** @description Parts of the console that are closed to the role. */
                readonly sidebar_modules: {
                    readonly admin?: boolean | {
                        readonly setting: boolean;
                    };
                };
            };
            /** @description JSON text of the parts of the console they chose. */
            readonly sidebar_modules: string;
            readonly language: string;
            readonly has_password: boolean;
            /** @description They have an authenticator. */
            readonly two_factor: boolean;
            readonly passkeys: number;
            /** @description The account is opened by a passkey alone. */
            readonly password_off: boolean;
            /** @description A second factor is required that they have yet to set up. */
            readonly must_set_up_factor: boolean;
        };
        readonly UsableScope: {
            /** @enum {string} */
            readonly scope: "all" | "read" | "account:read" | "account:write" | "tokens:read" | "tokens:write" | "channels:read" | "channels:write" | "models:read" | "models:write" | "users:read" | "users:write" | "money:read" | "money:write" | "logs:read" | "logs:write" | "options:read" | "options:write" | "system:read" | "system:write";
            /** @description Routes it opens to the caller. */
            readonly routes_count: number;
        };
        readonly Vendor: {
            /** @example 3 */
            readonly id: number;
            /** @example Anthropic */
            readonly name: string;
            readonly description: string;
            /** @description The name of an icon of the console, or an address of a picture. */
            readonly icon: string;
            /**
             * @description 1: on. 0 and 2: off.
             * @enum {number}
             */
            readonly status: 0 | 1 | 2;
            /** @description Unix seconds. */
            readonly created_time: number;
            /** @description Unix seconds. */
            readonly updated_time: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
