package rtoscope;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.eclipse.californium.core.config.CoapConfig.CongestionControlMode;
import org.eclipse.californium.core.network.Exchange;

/**
 * Plays a script of exchanges on Californium in a closed loop of virtual time: its timers decide what is
 * sent. Once on its whole stack ({@link Stack}), once on its reliability layer alone. The arguments are the passes to warm up, the passes to measure, and the
 * CongestionControlModes; standard input has a line per exchange, in nanoseconds but for the draw:
 *
 * <pre>
 * GAP DRAW DELAY DELAY DELAY DELAY DELAY      when it starts after the one before, its random number DRAW/2^32,
 *                                             when the answer to each copy comes after it, or -1
 * </pre>
 *
 * Prints per mode and part the nanoseconds of the fastest pass, the copies sent and the virtual time at the end.
 */
public final class Bench {
	private static long copies;

	public static void main(String[] arguments) throws Exception {
		Driver.prepare();
		int warm = Integer.parseInt(arguments[0]);
		int passes = Integer.parseInt(arguments[1]);
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
		long[][] script = in.lines()
				.map(line -> Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray())
				.collect(Collectors.toList()).toArray(new long[0][]);
		for (String mode : Arrays.asList(arguments).subList(2, arguments.length)) {
			CongestionControlMode control = CongestionControlMode.valueOf(mode);
			long least = Long.MAX_VALUE;
			for (int pass = 0; pass < warm + passes; pass++) {
				Stack stack = new Stack(control);
				Driver.now = 0;
				long start = System.nanoTime();
				for (long[] exchange : script) {
					stack.play(exchange);
				}
				long spent = System.nanoTime() - start;
				least = pass < warm ? least : Math.min(least, spent);
				copies = stack.copies;
			}
			System.out.println(mode + " stack " + least + " " + copies + " " + Driver.now);
			least = Long.MAX_VALUE;
			for (int pass = 0; pass < warm + passes; pass++) {
				Driver driver = new Driver(control);
				Driver.now = 0;
				copies = 0;
				long start = System.nanoTime();
				for (long[] exchange : script) {
					play(driver, exchange);
				}
				long spent = System.nanoTime() - start;
				least = pass < warm ? least : Math.min(least, spent);
			}
			System.out.println(mode + " layer " + least + " " + copies + " " + Driver.now);
		}
		System.exit(0);
	}

	private static void play(Driver driver, long[] script) {
		Driver.now += script[0];
		Exchange exchange = driver.send(script[1]);
		long answer = Long.MAX_VALUE;
		for (int copy = 2; copy < script.length; copy++) {
			copies++;
			if (script[copy] >= 0) {
				answer = Math.min(answer, Driver.now + script[copy]);
			}
			long expiry = Driver.now + exchange.getCurrentTimeout() * 1_000_000L;
			if (answer <= expiry) {
				Driver.now = answer;
				driver.answer(exchange);
				return;
			}
			Driver.now = expiry;
			Driver.timer.run();
		}
	}
}
