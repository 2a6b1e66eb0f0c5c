/** What the gateway's own options are for, in Chinese, by key; manifests tell it in English. */
const helps: Readonly<Record<string, string>> = {
  SettleBeforeAnswer:
    '每个响应完成前会多一次数据库往返。关闭时，若进程被强制终止，刚完成的响应将不会计费。',
  ErrorLogEnabled: '附客户端收到的错误说明，不收费。每个 API 密钥每分钟最多单独记录 30 条。',
  Notice: '打开控制台时显示，可用 Markdown 或 HTML。',
  About: 'Markdown、HTML，或要显示的网页地址。',
  HomePageContent: 'Markdown、HTML，或要显示的网页地址。留空则使用控制台自带的首页。',
  'legal.user_agreement': 'Markdown、HTML，或要显示的网页地址。留空则不要求用户同意。',
  'legal.privacy_policy': 'Markdown、HTML，或要显示的网页地址。留空则不要求用户同意。',
  'console_setting.api_info':
    '每一项包括地址（url）、线路名称（route）、说明（description）和颜色（color）。',
  'console_setting.announcements':
    '每一项包括内容（content）、发布时间（publishDate）、类型（type）和备注（extra）。',
  'console_setting.faq': '每一项包括问题（question）和回答（answer）。',
  'console_setting.uptime_kuma_groups':
    '每一项包括分组名称（categoryName）、地址（url）、状态页标识（slug）和说明（description）。网关不会读取其状态。',
  ExposeRatioEnabled: '任何人都可在 /api/ratio_config 读取模型的倍率与固定价格，不含分组倍率。',
  PasswordLoginEnabled: '关闭后只有超级管理员仍可使用密码登录，以免所有人都无法进入。',
  GotifyPrivateHosts:
    '由主机名、地址和网段组成的列表，例如 ["gotify.home", "192.168.1.0/24"]。留空则用户只能填写公网地址。',
  BarkPrivateHosts:
    '由主机名、地址和网段组成的列表，例如 ["bark.home", "192.168.1.0/24"]。留空则用户只能填写公网地址。',
  PrivateUpstreamsEnabled:
    '适用于渠道、邮件服务器和第三方登录。关闭后只访问公网地址。环境变量 ALLOW_PRIVATE_UPSTREAMS 优先于此项。',
  AdminSecondFactorRequired:
    '没有身份验证器或通行密钥的管理员只能先设置其一，使用访问令牌时也不例外。超级管理员须先设置第二验证因素才能开启此项。',
  SecurityEventDays: '用户可查看自己账户安全事件的天数。审计日志另行保留，不受此项影响。',
  SessionIdleMinutes: '此项及以下设置在每个会话下次使用时生效。',
  SessionLifetimeHours: '无论使用频率如何。延长的时间只对之后开启的会话生效。',
  AdminSessionIdleMinutes: '0 表示与所有人相同。不会比所有人更长。',
  AdminSessionLifetimeHours: '0 表示与所有人相同。不会比所有人更长。',
  access_token_days_default: '不会超过下面的最长天数。已有的令牌保持原来的期限。',
  access_token_days_max: '只对之后创建的令牌生效。',
  SelfUseModeEnabled: '控制台会隐藏与客户有关的内容。',
  DemoSiteEnabled: '控制台会标明这是演示站点。',
  ServerAddress: '客户端访问本网关的地址，例如 https://gateway.example。',
  DisplayInCurrencyEnabled: '关闭后以额度单位显示。',
  Chats: '由 {名称: 地址} 组成的列表。地址中的 {key} 和 {address} 会替换为 API 密钥和公开地址。',
  HeaderNavModules: '供控制台读取的 JSON 文本。留空则显示全部模块。',
  SidebarModulesAdmin: '供控制台读取的 JSON 文本。留空则显示全部模块。',
  TokenKeyRevealEnabled: '关闭后，密钥只在创建时显示一次。',
  SMTPServer: '主机名或地址。留空则网关不发送邮件。',
  SMTPSSLEnabled: '通常用于 465 端口，在该端口始终启用。在其他端口，网关会请求 STARTTLS。',
  'notifier.email.starttls': '“自动”表示服务器支持时即使用；向内网之外发送凭据前必须启用。',
  SMTPAccount: '留空则不登录邮件服务器。',
  SMTPFrom: '填写地址，或写作“名称 <地址>”。留空则使用账号。',
  'discord.client_id': '应用的重定向地址须为 <ServerAddress>/oauth/discord。',
  GitHubClientId: 'OAuth 应用的回调地址须为 <ServerAddress>/oauth/github。',
  LinuxDOClientId: '应用的回调地址须为 <ServerAddress>/oauth/linuxdo。',
  LinuxDOMinimumTrustLevel: '等级从 0（新成员）到 4（领袖）。',
  'oidc.client_id': '客户端的重定向地址须为 <ServerAddress>/oauth/oidc。',
  'oidc.client_secret': '公开客户端请留空。',
  'oidc.well_known': '例如 https://id.example/.well-known/openid-configuration。',
  'oidc.authorization_endpoint': '留空则使用发现文档中的地址。',
  'oidc.token_endpoint':
    '若与发现文档不在同一主机则必须填写，因为网关不会访问此处未列出的主机。留空则使用发现文档中的地址。',
  'oidc.user_info_endpoint':
    '若与发现文档不在同一主机则必须填写，因为网关不会访问此处未列出的主机。留空则使用发现文档中的地址。',
  'oidc.jwks_uri':
    '若与发现文档不在同一主机则必须填写，因为网关不会访问此处未列出的主机。留空则使用发现文档中的地址。',
  'oidc.scopes': '以空格分隔。不含 openid 时，仅凭用户信息端点识别身份。',
  'oidc.tenants': '允许其成员登录的租户（目录）ID，以空格分隔。留空则允许签发者服务的所有租户。',
  TelegramBotToken: '由 @BotFather 提供，例如 110201543:AAHdqTcv…',
  TelegramBotName: '不含 @。嵌入 Telegram 自带组件的页面需要此项。',
  WeChatServerAddress: '例如 https://wechat.example。该服务器须提供 /api/wechat/user。',
  WeChatAccountQRCodeImageURL: '用户扫码关注公众号后会收到验证码。',
  'channel_affinity_setting.switch_on_success':
    '开启时，请求由其他渠道完成后，关联随之转移。关闭时，一直保持首个渠道，直至关联过期或被移除。',
  'channel_affinity_setting.max_entries': '按进程计算。最久未使用的先被移除。',
  'channel_affinity_setting.default_ttl_seconds': '适用于未指定时长的规则。',
  'channel_affinity_setting.rules': '按顺序匹配，首个能在请求中找到键的规则生效。',
  TurnstileCheckEnabled: '需要填写站点密钥和私密密钥。',
  TurnstileVerifyUrl: '可使用任何与 Turnstile 接口兼容的服务。',
  'passkey.enabled': '关闭后不能添加通行密钥，也不能用其登录；已有的通行密钥仍可用于验证敏感操作。',
  'passkey.rp_display_name': '留空则使用网关名称。',
  'passkey.rp_id':
    '例如 gateway.example，不含协议和端口。留空则使用公开地址的主机名。某一域名的通行密钥不能用于其他域名。',
  'passkey.origins': '以逗号分隔，例如 https://gateway.example。留空则使用公开地址。',
  'passkey.allow_insecure_origin': '仅用于测试机器；localhost 始终可用。',
  'passkey.user_verification': '添加通行密钥和验证敏感操作时始终要求，不受此项影响。',
  'passkey.attachment_preference':
    '可优先提供设备内置的通行密钥，或安全密钥等其他设备。留空则不限类型。',
  'breaker_setting.enabled': '按渠道、密钥和模型分别计算。暂停之后的首个请求为试探。',
  'breaker_setting.open_seconds': '试探每失败一次，时长加倍。',
  AutomaticDisableStatusCodes: '以逗号分隔的状态码与范围，例如 401,403。',
  AutomaticDisableKeywords: '每行一个短语，不区分大小写。',
  'notification_setting.limit_count': '0 表示不限。超出的通知留在发件箱中，标为失败。',
  QuotaRemindThreshold: '单位为额度，500000 即 1 美元。0 表示不提醒。',
  ModelRatio: '各模型输入 token 的价格。1 表示每百万 token 2 美元。',
  ModelPrice: '各模型每次请求的美元价格，优先于同一模型的价目卡和倍率。',
  RecordingRetentionDays: '录制保存请求头和请求体，且仅在开启录制时进行。超过天数即删除。',
  RecordingMegabytesMax: '超出后从最早的录制开始删除。',
  RecordingOwnersMaySwitch: '仅限自己的密钥，每次最长 30 天。管理员始终可以录制。',
  MarginNotices:
    '每个渠道每天（UTC）最多通知一次，全部渠道合计也最多通知一次。仅统计成本已知的请求。',
  MarginThresholdPercent: '占收入的百分比。0 表示渠道成本一旦超过收入即通知。',
  MarginMinimumDollars: '单位为美元。当天收入或成本达到此值才会检查，避免单个请求引发通知。',
  TaskTimeoutMinutes: '从上游接受任务时起计算。超时的任务视为失败，已收取的费用会退还。',
  TasksUnderWayPerUser: '0 表示不限。',
  TasksUnderWayPerKey: '0 表示不限。',
  TasksPerMinute: '0 表示除请求限制外不另设限制。',
  TaskRetentionDays: '费用仍保留在日志中。0 表示永久保留。',
  TaskRateCards:
    '各模型的计量单位、每单位美元价格或按参数列出的价格、最少计费数量与取整步长。优先于同一模型的倍率。',
  CompletionRatio: '各模型输出 token 与输入 token 的价格之比。未列出的模型为 1。',
  CacheRatio: '各模型从缓存读取的 token 与输入 token 的价格之比。未列出的模型为 1。',
  CreateCacheRatio:
    '各模型写入缓存的 token 与输入 token 的价格之比。未列出的模型为 1.25。缓存一小时的 token 价格为其 1.6 倍。',
  ImageRatio:
    '各模型提示词中图片 token 与输入 token 的价格之比。未列出的模型为 1。响应中的图片按输出计费。',
  AudioRatio: '各模型音频输入 token 与输入 token 的价格之比。未列出的模型为 1。',
  AudioCompletionRatio:
    '各模型音频输出 token 与音频输入 token 的价格之比。未列出的模型使用补全倍率。',
  GroupRatio: '所有价格乘以分组的倍率。0 表示免费。没有倍率的分组不可用。',
  GroupGroupRatio: '先按调用者的分组，再按提供服务的分组列出。优先于分组倍率。',
  FreeModels: '完全免费的模型，包括工具调用。优先于所有价格。',
  'tool_price_setting.prices':
    '每千次调用的美元价格，键为 tool、tool:model 或 tool:prefix*。以最长的匹配为准。0 表示不收附加费。',
  QuotaPerUnit: '记账单位，不可更改。',
  AutomaticEnableChannelEnabled: '包括渠道，以及多密钥渠道中的单个密钥。',
  ChannelDisableThreshold: '仅在 AutomaticDisableChannelEnabled 开启时有效。0 表示不限时间。',
  EmailVerificationEnabled: '需要配置邮件服务器。',
  EmailAliasRestrictionEnabled: '拒绝 @ 之前含 + 或 . 的地址，因为同一邮箱可有许多这样的写法。',
  EmailDomainWhitelist: '以逗号分隔。每个域名只代表自身，不含其子域名。',
  UserUsableGroups: '各分组的说明。没有倍率的分组不可用。每个用户始终可用自己的分组。',
  'group_ratio_setting.group_special_usable_group':
    '按用户所在分组列出。“名称”或“+:名称”加说明为增加分组，“-:名称”为移除分组。',
  RetryTimes: '首个渠道失败后，在同一分组内再尝试的渠道数。每个请求最多共尝试 8 次。',
  DefaultUseAutoGroup:
    '开启时，未指定分组的 API 密钥使用默认自动路由。关闭时，使用其所有者的分组。',
  CountTokensUpstream:
    '开启时，客户端请求计数，若其渠道能够计数则返回上游的结果，否则返回估算值。关闭时，始终返回估算值。',
  ModelRequestRateLimitCount: '0 表示不限。失败的请求也计入。',
  ModelRequestRateLimitSuccessCount: '0 表示不限。',
  ModelRequestRateLimitGroup:
    '写作 {分组: [请求数, 成功数]}，适用于该分组的每个用户，代替上面两项。',
  ModelRequestRateLimitUser: '写作 {用户 ID: [请求数, 成功数]}，代替用户所在分组的限制。',
  ModelRequestRateLimitGroupTotal: '写作 {分组: 请求数}，由该分组的所有用户共享。',
  ModelRequestRateLimitTokenCount: '0 表示不限。',
  AutomaticRetryStatusCodes:
    '上游返回的状态码与范围，以逗号分隔，例如 429,500-503。因客户端造成的错误不会重试。',
  'general_setting.first_token_timeout_seconds': '超时则尝试下一个渠道。渠道可另设自己的限制。',
  'gemini.safety_settings':
    '各模型所有可调过滤器的阈值，“default”用于其他模型。留空则使用服务自身的设置。仅影响由网关转换的请求：generative 格式的请求和自带安全设置的请求保持原样。',
  'gemini.thinking_adapter_enabled':
    '名称以 -thinking、-thinking-<预算> 或 -nothinking 结尾时，使用去掉后缀的模型，并按后缀设置思考方式。',
  MjNotifyEnabled: '使用提交任务时的 notifyHook 字段。关闭时忽略该字段。',
  MjAccountFilterEnabled: '将提交任务时的 accountFilter 字段发送给上游。关闭时忽略该字段。',
  MjModeClearEnabled: '去除 --fast、--relax 和 --turbo。路径中指定的速度不受影响。',
  MjForwardUrlEnabled: '客户端得到带签名的地址，15 分钟内有效。关闭时得到上游的地址。',
  MjActionCheckSuccessEnabled: '关闭时也可对进行中的任务继续操作。等待填写的弹窗始终可以提交。',
  PayAddress: '例如 https://pay.example。留空则关闭易支付。',
  'payment.epay.signing':
    'MD5 为第一版接口，双方共用一个密钥。RSA 为第二版接口，双方各有一对密钥。',
  'payment.epay.merchantKey': 'PEM 格式，或其 base64 内容。',
  'payment.epay.platformKey': 'PEM 格式，或其 base64 内容。',
  PluginsOff: '外部插件的 ID，例如 ["provider.acme"]。由插件页面修改。',
  PayMethods:
    '例如 [{"name": "Alipay", "type": "alipay", "min_topup": 1}]。min_topup 为该方式每单的最少单位数，可省略。',
  StripeApiSecret:
    '以 sk_ 或 rk_ 开头。使用以 sk_test_ 或 rk_test_ 开头的密钥时，不会产生真实扣款。',
  StripeWebhookSecret:
    'Webhook 地址须为 <ServerAddress>/api/payment/stripe/callback。留空则关闭 Stripe 支付。',
  CreemWebhookSecret:
    'Webhook 地址须为 <ServerAddress>/api/payment/creem/callback。留空则关闭 Creem 支付。',
  CreemTestMode: '调用测试环境，不会产生真实扣款。测试环境需要单独的密钥。',
  CreemProducts:
    '例如 [{"name": "Small", "productId": "prod_1", "price": 9.99, "currency": "USD", "quota": 5000000}]。价格与货币须与 Creem 上的商品一致。',
  'payment.paypal.clientSecret': '留空则关闭 PayPal 支付。',
  'payment.paypal.webhookId':
    '地址为 <ServerAddress>/api/payment/paypal/callback 的 Webhook 的 ID。留空则关闭 PayPal 支付。',
  'payment.paypal.sandbox': '使用 PayPal 沙盒，不会产生真实扣款。沙盒需要单独的应用与 Webhook。',
  'payment.alipay.sellerId': '以 2088 开头的 16 位数字。',
  'payment.alipay.appKey': 'PEM 格式，或其 base64 内容。',
  'payment.alipay.platformKey':
    '支付宝的公钥，而非应用的公钥；PEM 格式，或其 base64 内容。留空则关闭支付宝支付。',
  'payment.alipay.sandbox': '使用支付宝沙盒，不会产生真实扣款。',
  'payment.offline.enabled': '由管理员在订单列表中确认每笔付款。',
  'payment.offline.instructions':
    'Markdown。{order}、{amount} 和 {currency} 会替换为订单的编号、金额和货币；文本中必须包含订单编号。',
  TopupGroupRatio: '未列出的分组支付全价。',
  'payment_setting.amount_discount':
    '例如 {"100": 0.95}：购买 100 单位及以上时按 95% 付款。以达到的最高数量为准。',
  'payment_setting.amount_bonus':
    '例如 {"100": 10}：购买 100 单位及以上时另赠 10 单位。以达到的最高数量为准。',
  'payment_setting.order_minutes': '之后到账的付款仍会计入余额。',
  'payment_setting.event_days': '订单及已到账的额度会永久保留。',
  'payment_setting.auto_topup_enabled':
    '仅限可在用户不在场时扣款的支付方式。关闭后不再发起自动扣款。',
  'payment_setting.auto_topup_cap_max': '用户可自行设置更低的上限。月份以 UTC 计算。',
  'payment_setting.receipt_enabled': '填写卖方名称后才会开具收据。关闭后，已开具的收据仍可下载。',
  'payment_setting.receipt_seller_name': '显示在收据上。每张收据保留开具时的名称。',
  'payment_setting.receipt_seller_address': '最多 8 行。',
  'payment_setting.receipt_seller_contact': '邮箱、电话或网址。',
  'payment_setting.receipt_prefix':
    '例如 R-，编号即为 R-000001。最多 16 个字母、数字和短横线。更改前缀后编号继续递增。',
  'payment_setting.receipt_tax_note': '显示在收据合计下方，例如：本收据不作为增值税发票使用。',
  'payment_setting.receipt_note': '最多 60 行。',
  'subscription_setting.time_zone': '例如 Asia/Shanghai。套餐的天、周、月从该时区的零点开始。',
  'subscription_setting.new_user_plan': '填写套餐编号。0 表示没有。',
  CustomCallbackAddress: '仅在支付平台须访问与本网关公开地址不同的地址时填写。',
  TaskStorage:
    '上游的地址会在数小时或数天后失效，而存储的结果可一直通过本网关访问。适用于此后结束的任务。',
  TaskStorageFolder:
    '填写完整路径。留空则使用数据文件夹下的 task-results。共用一个数据库的多个网关须共享同一个文件夹。',
  TaskStorageS3Endpoint: '例如 https://s3.eu-central-1.amazonaws.com，不含存储桶。',
  TaskStorageS3SecretKey: '需要读取、写入和删除存储桶中对象的权限，以及列出和中止分段上传的权限。',
  TaskStorageS3PathStyle: '关闭时，存储桶是主机名的第一部分。',
  TaskStorageS3Prefix: '加在每个对象名称之前，可用字母、数字以及 - _ . /',
  TaskStorageFileMegabytes: '单位为 MB。更大的结果保留在上游的地址。',
  TaskStorageDays: '0 表示与任务保留同样长的时间。',
}

export default helps
