import PromoWire

extension ResultSample {
    /// A sample of each result that a client reads.
    static var all: [ResultSample] {
        get throws { try [list, tap, launch, reviewEligible, reviewRequest, refresh, subscribe, status] }
    }

    private static let freshness = """
        "state":"loaded","source":"origin","generation":"5e3a","fetchedAt":"2026-11-21T01:09:00Z",\
        "expiresAt":"2026-11-22T01:09:00Z"
        """

    private static var list: ResultSample {
        get throws {
            try ResultSample(
                "list",
                """
                {\(freshness),"canRetry":false,"retryAt":"2026-11-21T01:10:00Z","hostKnown":true,"language":null,
                 "apps":[{"id":"a","name":"A","appStoreID":"1","iconURL":"https://a.example/i","category":"c",
                 "tagline":{"en":"e","ko":"k","ja":"j"},"storeURL":"https://a.example/s"}]}
                """,
                required: [
                    "state": .word, "source": .word, "canRetry": .truth, "apps": .array,
                    "apps.0.id": .text, "apps.0.name": .text, "apps.0.iconURL": .text,
                    "apps.0.category": .text, "apps.0.tagline": .object, "apps.0.tagline.en": .text,
                    "apps.0.storeURL": .text,
                ],
                optional: [
                    "generation": .text, "fetchedAt": .time, "expiresAt": .time, "retryAt": .time,
                    "hostKnown": .truth,
                    "apps.0.tagline.ko": .text, "apps.0.tagline.ja": .text,
                ], read: ListResult.init)
        }
    }

    private static var tap: ResultSample {
        get throws {
            try ResultSample(
                "tap",
                #"{"app":"a","appStoreID":"1","presentation":"offline","message":"m","storeURL":"https://a.example/s"}"#,
                required: ["app": .text, "storeURL": .text], optional: ["appStoreID": .text, "message": .text],
                read: TapResult.init)
        }
    }

    private static var launch: ResultSample {
        get throws {
            try ResultSample(
                "launch", #"{"app":"a","firstLaunch":"2026-11-21T01:09:00Z","recorded":true}"#,
                required: ["app": .text, "firstLaunch": .time, "recorded": .truth], read: LaunchResult.init)
        }
    }

    /// "eligible" is not among the required members, because without it this would be a result of `review-request`.
    private static var reviewEligible: ResultSample {
        get throws {
            try ResultSample(
                "review-eligible",
                """
                {"app":"a","eligible":false,"reasons":["never-launched"],"eligibleAt":"2026-11-21T01:09:00Z","advice":"b"}
                """, required: ["app": .text, "reasons": .words], optional: ["eligibleAt": .time, "advice": .text],
                read: ReviewResult.init)
        }
    }

    private static var reviewRequest: ResultSample {
        get throws {
            try ResultSample(
                "review-request",
                """
                {"app":"a","granted":false,"reasons":["yearly-limit","too-few-completions"],
                 "eligibleAt":"2026-11-21T01:09:00Z","reviewURL":"https://a.example/s","advice":"b"}
                """, required: ["app": .text, "granted": .truth, "reasons": .words],
                optional: ["eligibleAt": .time, "reviewURL": .text, "advice": .text], read: ReviewResult.init)
        }
    }

    private static var refresh: ResultSample {
        get throws {
            try ResultSample(
                "refresh",
                """
                {"outcome":"failed","generation":"5e3a","error":{"code":"tls","message":"m"},
                 "retryAt":"2026-11-21T01:09:00Z"}
                """, required: ["outcome": .word, "error.code": .word, "error.message": .text],
                optional: ["generation": .text, "retryAt": .time], read: RefreshResult.init)
        }
    }

    private static var subscribe: ResultSample {
        get throws {
            try ResultSample(
                "subscribe", #"{"subscribed":["tap","catalog"],"epoch":"e","since":41}"#,
                required: ["subscribed": .words, "epoch": .text, "since": .integer],
                read: SubscribeResult.init)
        }
    }

    private static var status: ResultSample {
        get throws {
            try ResultSample(
                "status",
                """
                {"version":"1.2.3","protocol":1,"pid":77,"startedAt":"2026-11-21T01:09:00Z","epoch":"e","online":true,
                 "problems":[{"code":"dns","subject":"https://a.example","text":"T.","advice":"A.",
                 "since":"2026-11-21T01:09:00Z","catalog":"default"}],
                 "catalogs":[{"name":"default","file":"/f","url":"https://a.example",\(freshness),"apps":5,
                 "nextAt":"2026-11-22T01:09:00Z","nextReason":"expiry","attempts":4,"failures":3,
                 "lastAttemptAt":"2026-11-21T01:09:00Z","lastOutcome":"failed","lastError":"tls","refreshing":false}],
                 "socket":{"path":"/s","connections":4,"subscribers":2},
                 "requests":{"list":12,"tap":1}}
                """,
                required: [
                    "version": .text, "pid": .integer, "startedAt": .time, "epoch": .text, "online": .truth,
                    "problems": .array, "problems.0.code": .word, "problems.0.subject": .text,
                    "problems.0.text": .text, "problems.0.since": .time,
                    "catalogs": .array, "catalogs.0.name": .text, "catalogs.0.state": .word,
                    "catalogs.0.source": .word, "catalogs.0.apps": .integer, "catalogs.0.nextReason": .word,
                    "catalogs.0.attempts": .integer, "catalogs.0.failures": .integer, "catalogs.0.refreshing": .truth,
                    "socket": .object, "socket.path": .text, "socket.connections": .integer,
                    "socket.subscribers": .integer, "requests": .object,
                ],
                optional: [
                    "problems.0.catalog": .text, "catalogs.0.file": .text, "catalogs.0.url": .text,
                    "catalogs.0.generation": .text, "catalogs.0.fetchedAt": .time, "catalogs.0.expiresAt": .time,
                    "catalogs.0.nextAt": .time, "catalogs.0.lastAttemptAt": .time, "catalogs.0.lastOutcome": .word,
                    "catalogs.0.lastError": .word,
                ], read: StatusResult.init)
        }
    }
}
