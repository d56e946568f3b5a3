/** A minimal SMTP server (RFC 5321) that stores the mails that it receives. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { TestDaemon } from "./daemon.js";

export interface Mail {
  from: string;
  to: string[];
  /** Headers and text, with quoted-printable soft line breaks removed. */
  text: string;
}

type SmtpBehaviour = "work" | "refuse" | "busy" | "refuse-sender" | "hang";

export interface SmtpServer {
  readonly url: string;
  readonly mails: readonly Mail[];
  /** Waits for the next mail to that address. Each mail is returned once. */
  waitForMail(to: string, timeoutMs?: number): Promise<Mail>;
  /**
   * Sets the behaviour: accept mails, reject each recipient permanently or temporarily, reject the sender, or
   * send no response.
   */
  setBehaviour(how: SmtpBehaviour): void;
  close(): Promise<void>;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: Mail[] = [];
  const taken = new Set<Mail>();
  const sockets = new Set<Socket>();
  let behaviour: SmtpBehaviour = "work";

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    if (behaviour === "hang") return;
    socket.write("220 test ESMTP\r\n");
    serve(socket);
  });

  const serve = (socket: Socket) => {
    let mail: Mail = { from: "", to: [], text: "" };
    let inData = false;
    let rest = "";
    const command = (line: string): string => {
      const address = /<([^>]*)>/.exec(line)?.[1] ?? "";
      switch (line.slice(0, 4).toUpperCase()) {
        case "MAIL":
          if (behaviour === "refuse-sender") return "550 not allowed";
          mail = { from: address, to: [], text: "" };
          return "250 ok";
        case "RCPT":
          if (behaviour === "refuse") return "550 no such user";
          if (behaviour === "busy") return "451 try again later";
          mail.to.push(address);
          return "250 ok";
        case "DATA":
          inData = true;
          return "354 go on";
        case "QUIT":
          socket.end("221 bye\r\n");
          return "";
        default:
          return "250 test";
      }
    };
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      rest += chunk;
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (!inData) {
          const answer = command(line);
          if (answer) socket.write(`${answer}\r\n`);
        } else if (line === ".") {
          inData = false;
          mails.push({ ...mail, text: mail.text.replace(/=\n/g, "") });
          socket.write("250 kept\r\n");
        } else {
          mail.text += `${line.replace(/^\./, "")}\n`;
        }
      }
    });
  };

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    async waitForMail(to, timeoutMs = 20_000) {
      for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
        const mail = mails.find((candidate) => candidate.to.includes(to) && !taken.has(candidate));
        if (mail) {
          taken.add(mail);
          return mail;
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`no mail to ${to} within ${timeoutMs} ms`);
    },
    setBehaviour(how) {
      behaviour = how;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Returns the daemon with a log that contains the mailed codes, as the log of a daemon without SMTP does. */
export function withMailedCodes(daemon: TestDaemon, smtp: SmtpServer): TestDaemon {
  const codes = () =>
    smtp.mails.flatMap((mail) => {
      const code = /code is (\d{6})/.exec(mail.text)?.[1];
      return code === undefined ? [] : JSON.stringify({ code, email: mail.to[0], msg: "confirmation code" });
    });
  return Object.assign(Object.create(daemon) as TestDaemon, { log: () => codes().join("\n") });
}

/** Returns the six digits of a confirmation mail. */
export function confirmationCodeIn(mail: Mail): string {
  const code = /code is (\d{6})/.exec(mail.text)?.[1];
  if (!code) throw new Error("no code in the mail");
  return code;
}
